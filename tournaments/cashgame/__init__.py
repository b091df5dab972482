"""Cash tables with a fixed end: stakes, seats, chips, house fee, waiting list, settling."""
