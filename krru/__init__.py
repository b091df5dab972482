"""The composition root: settings, urls, server, tasks, backups. Nothing about poker."""

__version__ = "0.2.0"
