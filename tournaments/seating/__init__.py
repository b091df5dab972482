"""Tables and seats: draws, moves, breaking, keeping apart, where the button is."""
