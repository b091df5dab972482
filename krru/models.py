"""What the program remembers of itself, where several processes share a database."""

from django.db import models


class ScheduleRun(models.Model):
    """When a periodic task last ran, in whatever process. No fact: nothing undoes it."""

    task = models.CharField(max_length=100, primary_key=True)
    ran_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.task
