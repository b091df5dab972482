"""Messages to people: mail, announcements, messages."""
