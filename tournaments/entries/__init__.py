"""What is bought again: re-buys, add-ons, new entries; and seats held for whoever may re-buy."""
