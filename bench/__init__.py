"""Benchmarks: one script per question of speed. `_report` prints what they found in one form."""
