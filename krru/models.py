"""The program's own records, for several processes on one database."""

from django.db import models


class ScheduleRun(models.Model):
    """The last run of a periodic task, in any process. No fact: no undo."""

    task = models.CharField(max_length=100, primary_key=True)
    ran_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.task


class NewestRelease(models.Model):
    """The newest release of the program that was found, in a single row. No fact: no undo."""

    asked_at = models.DateTimeField()
    version = models.CharField(max_length=20, blank=True)
    notes = models.CharField(max_length=500, blank=True)
    # Why the last look failed; empty if it did not.
    problem = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return self.version
