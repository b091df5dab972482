"""From "I'm coming" to the stack: registration, waiting list, capacity, check-in, fees."""
