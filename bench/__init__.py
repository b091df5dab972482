"""Benchmarks, one module for each question: `python3 start.py bench NAME`."""
