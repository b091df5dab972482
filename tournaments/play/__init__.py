"""Play at the tables: hands, eliminations, ranking, bubble, calls, penalties, absences."""
