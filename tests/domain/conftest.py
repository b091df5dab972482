"""How often properties run; those marked `long` look at many more examples.

There is no deadline: an example that is slow once says something about the machine alone.
"""

from hypothesis import settings

settings.register_profile("krru", deadline=None, max_examples=50)
settings.load_profile("krru")
