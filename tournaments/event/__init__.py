"""An event: making, copying, ending it; its settings, blind schedule and clock."""
