"""What is bought again: re-buys, add-ons, new entries; seats held for players who may re-buy."""
