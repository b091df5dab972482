"""The composition root: settings, urls, server, tasks, backups. No poker."""

__version__ = "0.3.0"
