"""Benchmarks, a module for each question of speed: `python3 start.py bench NAME`."""
