"""Cash tables with a fixed end: stakes, seats, chips, the house fee, who waits, who owes whom."""
