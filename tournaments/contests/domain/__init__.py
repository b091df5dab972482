"""Rules of flights and days, without Django."""
