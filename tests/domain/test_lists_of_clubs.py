"""Lists as clubs have them: two rows of headings, polls, orders, chats, address books, old Macs."""

from pathlib import Path

import pytest

from tests.domain.files import people, sheet_of, workbook, zipped
from tournaments.imports.domain import pasted
from tournaments.imports.domain.columns import Answer, answer_of
from tournaments.imports.domain.grids import Holds, evenings_of_grid
from tournaments.imports.domain.listing import Doubt, Fault
from tournaments.imports.domain.pasted import LONGEST, pasted_csv, people_pasted
from tournaments.imports.domain.results import ResultFault, evenings_of_table
from tournaments.papers.domain import sheets
from tournaments.papers.domain.sheets import Row, SheetError, rows_of_text

DAY = "Sep 13, 2026"
CASES = Path(__file__).parents[1] / "cases" / "people"


def case(name):
    return (CASES / name).read_bytes()


def read(data):
    """Return each row: name, address, and why it is not simply taken."""
    return [
        (line.name, line.email, line.fault or line.doubt or "", line.answer)
        for line in people(data).lines
    ]


def test_of_two_rows_of_headings_the_one_that_says_more_counts_and_a_sum_is_nobody():
    lines = people(case("03-zwei-kopfzeilen.xlsx")).lines
    assert [(line.name, line.email, line.phone, line.doubt) for line in lines] == [
        ("Änne von der Heide", "aenne@example.org", "436601234567", None),
        ("Seán Ó Briain", "", "", None),
        ("2 Summe", "", "", Doubt.NO_PERSON),
    ]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "mac-roman"])
def test_last_names_before_a_comma_are_turned_round_once_for_the_file(encoding):
    data = case("04-nachname-komma.csv").decode("cp1252").encode(encoding)
    listing = people(data)
    assert listing.layout.is_turned
    assert [line.name for line in listing.lines] == ["Karla Grünwald", "Peter Sommer"]
    few = people("Name\nEva Lang\nOtto Kurz\nEva, die Große\n")
    assert not few.layout.is_turned


def test_the_latest_answer_of_each_counts_and_who_says_no_is_asked_about():
    assert read(case("05-formular-antworten.csv")) == [
        ("Karla Grünwald", "karla@example.org", Fault.TWICE, ""),
        ("Peter Sommer", "peter@example.org", Doubt.SAYS, "Nein"),
        ("Karla Grünwald", "karla@example.org", Doubt.SAYS, "Nein"),
    ]


def test_cancelled_orders_and_the_silent_are_asked_about():
    orders = "Attendee name,Order status\nEva Lang,completed\nMax Bauer,Cancelled\nIna Moser,\n"
    assert [doubt for *_who, doubt, _said in read(orders)] == ["", Doubt.SAYS, Doubt.SILENT]
    tickets = (
        "Order #,First Name,Last Name,Email,Attendee Status\n1,Eva,Lang,e@x.at,Attending\n"
        "2,Max,Bauer,m@x.at,Not Attending\n3,Ina,Moser,i@x.at,Deleted\n"
    )
    assert [doubt for *_who, doubt, _said in read(tickets)] == ["", Doubt.SAYS, Doubt.SAYS]
    poll = ";Fr 27.11.\nEva Lang;OK\nMax Bauer;\nIna Moser;(OK)\nAnzahl;2\n"
    doubts = [doubt for *_who, doubt, _said in read(poll)]
    assert doubts == ["", Doubt.SILENT, Doubt.SAYS, Doubt.NO_PERSON]
    shop = "Vorname;Nachname *;E-Mail (Käufer);Storniert am\nEva;Lang;e@x.at;\nMax;Bauer;;3.11.\n"
    assert read(shop) == [("Eva Lang", "e@x.at", "", ""), ("Max Bauer", "", Doubt.SAYS, "3.11.")]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        *[("Ja, zu zweit", Answer.YES), ("dabei!", Answer.YES), ("19 Uhr", Answer.YES)],
        *[("Nein", Answer.NO), ("kann leider nicht", Answer.NO), ("refunded", Answer.NO)],
        *[("vielleicht", Answer.MAYBE), ("weiß noch nicht", Answer.MAYBE), ("(OK)", Answer.MAYBE)],
        *[("na klar", Answer.YES), ("✅", Answer.YES), ("👍🏽", Answer.YES), ("na", Answer.NO)],
        *[("❌ leider", Answer.NO), ("👎", Answer.NO), ("Sorry, can’t", Answer.NO)],
        *[("bin krank", Answer.NO), ("entschuldigt", Answer.NO), ("🤷", Answer.MAYBE)],
        *[("ev.", Answer.MAYBE), ("k.A.", Answer.MAYBE), ("TBD", Answer.MAYBE)],
        ("ja, wenn es sich ausgeht", Answer.MAYBE),
    ],
)
def test_answers_are_told_apart(said, answer):
    assert answer_of(said) is answer


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        (
            "Name\nHerr Max Bauer\nFrau Dr. Eva Lang\nMs Ina Moser\n",
            "Max Bauer,Dr. Eva Lang,Ina Moser",
        ),
        ('Nachname, Vorname\n"Lang, Dr. Eva"\n"Bauer, Max"\n', "Dr. Eva Lang,Max Bauer"),
        ("Name\nLang, Eva\nBauer, Max\nIna Moser, MSc\n", "Eva Lang,Max Bauer,Ina Moser, MSc"),
        ("Spieler/in;Mitglied (j/n)\nEva Lang;j\n", "Eva Lang"),
        ("TeilnehmerInnen:\nEva Lang\n", "Eva Lang"),
        ('\ufeff"Name";"Bemerkung"\n"Eva Lang";"kommt\nspäter; sicher"\n', "Eva Lang"),
    ],
)
def test_names_are_read_with_what_clubs_put_around_them(listed, names):
    assert ",".join(line.name for line in people(listed).lines) == names


@pytest.mark.parametrize(
    "footer",
    [
        *("Gesamt: 2 Personen", "Stand: 26.11.2026, 18:00", "Seite 1 von 1"),
        *("erstellt am 26.11.", "Printed by Jo", "Summe = 2", "Anzahl: 2", "26.11.2026"),
        *("https://example.org/x", "Name"),
    ],
)
def test_a_line_about_the_list_is_nobody(footer):
    lines = people(f"Name;Handy\nEva Lang;\n{footer};\n").lines
    assert [line.doubt for line in lines] == [None, Doubt.NO_PERSON]


def test_a_poll_with_titles_and_days_above_or_a_sign_behind_its_question_has_its_answers():
    poll = "Umfrage Poker\n;November 2026\n;Fr 27\nEva Lang;OK\nMax Bauer;(OK)\nIna Moser;\n"
    assert [doubt for *_who, doubt, _said in read(poll)] == ["", Doubt.SAYS, Doubt.SILENT]
    poll = ";Do 26.11.;Fr 27.11.\nEva Lang;;OK\nMax Bauer;;\nIna;(OK);\nJo;OK;OK\nAnzahl;1;2\n"
    doubts = [doubt for *_who, doubt, _said in read(poll)]
    assert doubts == ["", Doubt.SILENT, Doubt.SAYS, "", Doubt.NO_PERSON]
    poll = "Name;Kommst du am Freitag? 🃏\nEva;✅\nMax;❌\nIna;🤔\n"
    assert [doubt for *_who, doubt, _said in read(poll)] == ["", Doubt.SAYS, Doubt.SAYS]


def test_headings_of_other_programs_are_known():
    other = "First name;Last name;Nickname;Email 1;Phone 1\nEva;Lang;Blitz;e@x.at;0660 123456\n"
    [line] = people(other).lines
    assert (line.name, line.email, line.phone) == ("Eva Lang", "e@x.at", "0660 123456")
    assert read("Nickname;Punkte\nBlitz;3\n") == [("Blitz", "", "", "")]


def test_in_a_chat_an_answer_counts_for_its_sender():
    found = people_pasted(case("06-chat.txt").decode())
    assert [(name, answer) for name, _mail, _phone, _remark, answer in found] == [
        ("Karla Grünwald", "ja"),
        ("Anna Lang", "ja"),
        ("Ina", "? Max und ich kommen"),
        ("Max", "? Ina: Max und ich kommen"),
    ]
    assert read(pasted_csv(case("06-chat.txt").decode()))[2:] == [
        ("Ina", "", Doubt.SAYS, "Max und ich kommen"),
        ("Max", "", Doubt.SAYS, "Ina: Max und ich kommen"),
    ]


CHAT = """20.11.26, 19:00 - Nachrichten sind Ende-zu-Ende-verschlüsselt.
20.11.26, 19:03 - Jo Wirt: Wer kommt am Donnerstag?
20.11.26, 19:04 - ~ Karla: Ich bin dabei 👍
20.11.26, 19:05 - Peter: Komme später
20.11.26, 19:06 - Ina: leider nein, bin krank
20.11.26, 19:07 - Leo: Danke fürs Organisieren!
20.11.26, 19:08 - Uwe: vielleicht
20.11.26, 19:09 - Uwe: bin doch dabei
20.11.26, 19:10 - Hans: dabei
20.11.26, 19:11 - Hans: Ich komme doch nicht
20.11.26, 19:12 - Anna: Bild weggelassen
"""


def test_in_a_chat_the_last_word_counts_and_talk_does_not():
    taken = [row for row in read(pasted_csv(CHAT)) if row[2] is not Fault.TWICE]
    assert taken == [
        ("Karla", "", "", ""),
        ("Peter", "", "", ""),
        ("Ina", "", Doubt.SAYS, "leider nein, bin krank"),
        ("Uwe", "", "", ""),
        ("Hans", "", Doubt.SAYS, "Ich komme doch nicht"),
    ]


def said(talk, sent="[20.11.26, 19:0{}:00] {}: {}"):
    """Return who is taken from a chat and who is asked about, by their last words."""
    lines = (line.partition(": ") for line in talk.splitlines())
    chat = "\n".join(sent.format(at, who, words) for at, (who, _, words) in enumerate(lines))
    rows = [row for row in read(pasted_csv(chat)) if row[2] is not Fault.TWICE]
    names = [[row[0] for row in rows if bool(row[2]) is asked] for asked in (False, True)]
    return tuple(",".join(some) for some in names)


@pytest.mark.parametrize(
    ("talk", "takes"),
    [
        ("A: Dabei!\nA: Sorry Leute, muss doch absagen", ("", "A")),
        ("A: Ich komme gerne\nA: Geht sich doch nicht aus\nB: leider nicht\nB: Doch, bin dabei!",
         ("B", "A")),
        ("A: muss leider passen\nB: ich bin am Freitag auch dabei\nC: Jo\nD: freu mich",
         ("B,C,D", "A")),
        ("A: Wenn ich frei bekomme, ja\nB: Max kann nicht\nC: Nicht vergessen: Ausweis mitbringen!",
         ("", "A")),
    ],
)  # fmt: skip
def test_in_a_chat_minds_are_changed_in_german(talk, takes):
    assert said(talk) == takes


@pytest.mark.parametrize(
    "sent",
    [
        "11/20/26, 7:0{} PM - {}: {}",
        "[11/20/26, 7:0{}:11\u202fPM] {}: {}",
        "\u200e[2026-11-20, 19:0{}] ~ {}: {}",
    ],
)
@pytest.mark.parametrize(
    ("talk", "takes"),
    [
        ("A: I’m in!\nB: count me in\nC: I'll be there\nD: See you there", ("A,B,C,D", "")),
        ("A: I'm in\nB: Can’t make it\nA: Actually I can't come anymore\nB: Plans changed, I'm in!",
         ("B", "A")),
        ("A: out\nB: Count me out\nC: Out of beer!\nD: <Media omitted>\nE: yep", ("E", "A,B")),
    ],
)  # fmt: skip
def test_in_a_chat_minds_are_changed_in_english(talk, takes, sent):
    assert said(talk, sent) == takes


VCARDS = """BEGIN:VCARD
VERSION:3.0
N:Grünwald;Karla;;;
item1.EMAIL;TYPE=home:karla@example.org
TEL;TYPE=CELL:+43 660 123456
PHOTO;ENCODING=b:AAAA=
END:VCARD
BEGIN:VCARD
VERSION:2.1
FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg =
Stra=C3=9F
NOTE:kommt\\, aber
  später
END:VCARD
"""


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", ["A", "<", "a@", "Max, ich ", "0 ", "("])
@pytest.mark.parametrize("head", ["[21.11.26, 19:03] Jo: ", "[21.11.26, 19:03] Jo: ok\n", ""])
def test_no_message_keeps_the_server_searching(head, unit):
    """A chat may carry 65,000 characters, and the whole server waits for the search."""
    found = people_pasted(head + unit * (60_000 // len(unit)) + "!")
    assert all(len(person[0]) <= LONGEST for person in found)


def test_a_chat_names_no_more_people_than_a_list_may_have(monkeypatch):
    """Each line may name 150 people and repeats itself for each: 10 MB became 1.1 GB."""
    for module in (pasted, sheets):
        monkeypatch.setattr(module, "MOST_ROWS", 200)
    line = "[21.11.26, 19:03] Jo: ich und " + "Aa und " * 60
    text = "\n".join([line] * 5)
    assert len(people_pasted(text)) == 201
    with pytest.raises(SheetError, match="too_many_rows"):
        list(rows_of_text(pasted_csv(text)))


def test_an_address_book_is_a_list():
    lines = people(VCARDS).lines
    assert [(line.name, line.email, line.phone, line.remark) for line in lines] == [
        ("Karla Grünwald", "karla@example.org", "+43 660 123456", ""),
        ("Jörg Straß", "", "", "kommt, aber später"),
    ]


@pytest.mark.parametrize("text", ["Petr Šašek", "Miloš Dušan", "Preis 5 €", "Ärger", "Zoë"])
def test_windows_is_not_taken_for_a_mac(text):
    assert read(f"Name\n{text}\n".encode("cp1252"))[0][0] == text


def ods(*sheets):
    """Return an OpenDocument table of named sheets, each with its rows as written in the file."""
    spaces = "".join(f' xmlns:{name}="urn:{name}"' for name in ("office", "table", "text"))
    tables = "".join(
        f'<table:table table:name="{name}">'
        + "".join(f"<table:table-row{row}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    body = f"<office:document-content{spaces}>{tables}</office:document-content>"
    return zipped({"mimetype": kind, "content.xml": body})


def cell(text, more=""):
    return f"<table:table-cell{more}><text:p>{text}</text:p></table:table-cell>"


def test_an_opendocument_table_and_the_second_sheet_of_a_workbook_are_read():
    blank = ' table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="9"/>'
    formula = ' table:formula="of:=A1"'
    person = f">{cell('Eva <text:span>Lang</text:span>')}{cell('e@x.at', formula)}"
    rows = [f">{cell('Name')}{cell('Mail')}", blank, person]
    sheet = sheet_of(ods(("Hinweise", [f">{cell('Bitte lesen')}"]), ("Liste", rows)), 1)
    assert sheet.names == ("Hinweise", "Liste")
    rows = list(sheet.rows)
    assert [(row.number, row.cells[:2]) for row in rows] == [
        (1, ("Name", "Mail")),
        (5, ("Eva Lang", "e@x.at")),
    ]
    assert rows[1].formulas == {1}

    def change(book):
        book.create_sheet("Liste").append(["Name"])

    book = sheet_of(workbook(["Bitte lesen"], change=change), 1)
    assert (book.names, [row.cells[0] for row in book.rows]) == (("Sheet", "Liste"), ["Name"])


def grid(*cells, holds=Holds.PLACES):
    """Return the places of two players' cells, each below a day."""
    rows = [("Name", "3. Sept. 2026", "10.9.2026"), ("Lang, Eva", *cells[:2])]
    rows += [("Bauer, Max", *cells[2:4]), ("Moser, Ina", *cells[4:]), ("Schnitt", "2", "2")]
    table = [Row(number=number, cells=row) for number, row in enumerate(rows, 1)]
    found = evenings_of_grid(table, holds=holds)
    return [[(player.place, player.name[:3]) for player in one.players] for one in found]


@pytest.mark.parametrize(
    "absent", ["-", "x", "n.a.", "n. a.", "N/A", "abw.", "entsch.", "fehlt", "DNP"]
)
def test_in_a_grid_ties_and_marks_of_absence_are_read(absent):
    assert grid("1.", "2", "T2", "1st", "2=", absent) == [
        [(1, "Eva"), (2, "Max"), (2, "Ina")],
        [(1, "Max"), (2, "Eva")],
    ]
    points = grid("1.200", "8,5", "950*", absent, "(1.200)", "-3", holds=Holds.POINTS)
    assert points == [[(1, "Eva"), (1, "Ina"), (3, "Max")], [(1, "Eva"), (2, "Ina")]]
    with pytest.raises(ResultFault):
        grid("erster", "2", "2", "1", "3", "3")


def test_a_result_in_the_forms_of_others_has_its_amounts_and_names():
    cells = [
        ("Rang", "Nachname, Vorname", "Gewinn", "Datum"),
        ("1.", "Lang, Eva", "€1,200.00", DAY),
    ]
    cells += [("2.", "Bauer, Max", "800,- EUR", DAY), ("3.-4.", "Moser, Ina", "–", DAY)]
    [found] = evenings_of_table(Row(number=at, cells=row) for at, row in enumerate(cells, 1))
    assert [(one.place, one.name, one.prize) for one in found.players] == [
        (1, "Eva Lang", 120000), (2, "Max Bauer", 80000), (3, "Ina Moser", 0),
    ]  # fmt: skip
    assert str(found.day) == "2026-09-13"
