"""Money: prizes, bounties, ICM values, deals."""
