"""Who gets what: prizes paid, bounties, deals."""
