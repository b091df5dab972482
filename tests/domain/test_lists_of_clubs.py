"""Lists as clubs have them: two rows of headings, polls, orders, chats, address books, old Macs."""

from pathlib import Path

import pytest

from tests.domain.files import people, sheet_of, workbook, zipped
from tournaments.imports.domain.columns import Answer, answer_of
from tournaments.imports.domain.listing import Doubt, Fault
from tournaments.imports.domain.pasted import pasted_csv, people_pasted

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
    ],
)
def test_answers_are_told_apart(said, answer):
    assert answer_of(said) is answer


def test_lines_about_a_list_are_no_people():
    listed = (
        "Name|Mail\nEva Lang|e@x.at\nAnzahl: 2|\n26.11.2026|\nhttps://example.org/x|\nName|Mail\n"
    )
    lines = people(listed).lines
    assert [line.doubt for line in lines] == [None, *[Doubt.NO_PERSON] * 4]


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
