"""Django's pages as a WSGI application; `krru.asgi` runs it in threads beside the streams."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
application = get_wsgi_application()
