"""Every change to an event goes through here, by noun; see `tournaments.audit` for the frame."""
