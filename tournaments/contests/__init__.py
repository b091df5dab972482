"""Tournaments of several flights and days."""
