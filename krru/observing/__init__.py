"""Health, figures, the log, and what is said of errors.

`health` answers a balancer and Prometheus, `alive` remembers when the server last ran.
`requests` numbers and times each, `errors` answers for those that fail, `logs` writes both down,
`reporting` tells a Sentry.
"""
