"""Compile the translations that changed."""

from typing import Any

from django.core.management.base import BaseCommand

from krru.starting import texts


class Command(BaseCommand):
    help = "Übersetzt die geänderten Textkataloge."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{texts.compile_texts()} Kataloge übersetzt.")
