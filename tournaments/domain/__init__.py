"""The rules of a tournament as pure functions and values.

Nothing in here knows Django, the database, the network or the present time: what a function needs
is handed to it. Every rule names its source; `KRRU 3.0`, `HOME`, `STEFFEN`, `STUD`, `WIESBADEN` and
`TDA 2024` are the short names used throughout.
"""
