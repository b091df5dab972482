"""Data of the desk, and earlier rulings."""
