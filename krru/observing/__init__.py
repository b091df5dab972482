"""Health, metrics, the log and error pages."""
