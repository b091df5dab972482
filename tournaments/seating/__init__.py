"""Tables and seats: draws, moves, breaking, wishes to keep apart, the button."""
