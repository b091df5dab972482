"""What people and things are called on the evening of `whole_evening.py`: as long as in life."""

NAMES = (
    "Ada Auer", "Béla Berg", "Çağla Demir", "Dörte von der Weißenburg-Hohenstein", "Ed O'Neill",
    "Finn Fuchs", "Gül Güneş", "Hanno Horn", "Ida Illy", "Jörg Jung", "Kim Křen", "Lev Łoś",
    "Mira Öztürk", "Nele Nagl", "Otto Ohm", "Paweł Wiśniewski", "Quirin Quast", "Ruth Rabe",
)  # fmt: skip
FACES = ("registered", "late", "line", "offered", "withdrawn")
PIECES = {25: (400, "green"), 100: (1200, "black"), 25_000: (50, "pink"), 500_000: (9, "grey")}
ABOUT = {
    "venue": "Dorfgemeinschaftshaus Fürstenfeldbruck",
    "address": "Straßenbahnhaltestellenweg 117, 82256 Fürstenfeldbruck",
    "contact": "turnierleitung@pokerfreunde-fuerstenfeldbruck.example\n+49 8141 1234567",
    "description": "Wir spielen jeden Freitag.\n\nGäste sind willkommen.",
    "house_text": "Einlass ab 18 Uhr.",
    "imprint": "Pokerfreunde Fürstenfeldbruck e. V.",
}
