"""What is kept of people: shown to them, handed out, erased."""
