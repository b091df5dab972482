"""Writing down what was decided."""
