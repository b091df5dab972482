"""Money: prizes paid, bounties, deals."""
