"""Pages of the rulings desk."""
