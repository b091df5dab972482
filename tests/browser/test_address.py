"""A laptop that comes into another network: the wall beside it tells its new address."""

import re

import pytest
from playwright.sync_api import expect

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess
from tests.laptops import laptop_served_once

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only]
# The program as it is, but for where it reads the network: from a file of the test.
PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, {base!r})
from krru.web import served
served.lan_address = lambda: Path({file!r}).read_text() or None
from krru.starting.commandline import main
main(sys.argv)
"""
CODE = "document.querySelector('[data-part=qr] path')?.getAttribute('d')"


def test_wall_and_codes_follow_the_network(tmp_path, browser):
    file, program = tmp_path / "network", tmp_path / "program.py"
    file.write_text("")
    program.write_text(PROGRAM.format(base=str(BASE_DIR), file=str(file)))
    laptop_served_once(tmp_path / "data")
    server = ServerProcess(tmp_path / "data")
    server.program, server.host = (str(program),), "0.0.0.0"
    with server:
        page = browser.new_context(locale="de-DE").new_page()
        page.goto(f"{server.url}/")
        slug = re.findall(r'href="/t/([^/"]+)/"', page.content())[0]
        page.goto(f"{server.url}/t/{slug}/screen/")
        page.wait_for_selector("body.big-screen")
        expect(page.locator("[data-part=qr] svg")).to_have_count(0)
        seen = []
        for address in ("192.168.1.20", "10.0.0.7"):
            file.write_text(address)
            told = f"Adresse neu: http://{address}:{server.port}"
            expect(page.locator("[data-part=moved]")).to_have_text(told)
            seen.append(page.evaluate(CODE))
            assert told in server.log
        assert None not in seen
        assert len(set(seen)) == 2
        page.context.close()
