"""Prizes: plans, the number of paid places, the table of payouts, ICM values."""
