"""What the desk shows, and what was decided before."""
