"""The program's own records, for several processes on one database."""

from django.db import models


class ScheduleRun(models.Model):
    """The last run of a periodic task, in any process. No fact: no undo."""

    task = models.CharField(max_length=100, primary_key=True)
    ran_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.task
