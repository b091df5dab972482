"""What happens at the tables: hands, who is out, ranking, bubble, calls, penalties, absences."""
