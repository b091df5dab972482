"""What is told to people: mail, announcements, messages."""
