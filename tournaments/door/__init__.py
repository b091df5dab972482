"""From registration to the stack: waiting list, capacity, check-in, fees."""
