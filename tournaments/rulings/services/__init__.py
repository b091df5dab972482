"""Record rulings."""
