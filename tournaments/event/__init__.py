"""An event: making, copying, ending it; its settings, blind schedule, rules and clock."""
