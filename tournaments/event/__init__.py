"""An event: create, copy and end it; its settings, blind schedule and clock."""
