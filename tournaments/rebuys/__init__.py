"""Re-buys, add-ons, re-entries; seats held for players who may re-buy."""
