"""What is told of a running program: to a load balancer, in figures, in the log, after an error.

`health` says whether all is well, `metrics` counts, `alive` remembers when the server last ran.
`requests` numbers and times each, `errors` answers for those that fail, `logs` writes both down,
`reporting` tells a Sentry.
"""
