"""Health, metrics, the log and error pages.

`health` answers a balancer and Prometheus, `alive` records the server's last run. `requests`
numbers and times requests, `errors` answers failed ones, `logs` writes both, `reporting` sends
errors to Sentry.
"""
