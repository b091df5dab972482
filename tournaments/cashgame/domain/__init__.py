"""Rules of the cash game as pure functions: stakes, fee, end, waiting list, settling up."""
