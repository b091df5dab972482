"""What the guide for servers tells to type for nginx, typed on a copy of the system's files."""

import http.client
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from krru.data.folder import BASE_DIR
from krru.devtools.cluster import proxy_program
from krru.devtools.postgres import free_port
from krru.devtools.serving import trusting
from krru.web.certificates import own_certificate
from tests.waits import wait_for

SYSTEMS = Path("/etc/nginx")
pytestmark = [
    pytest.mark.sqlite_only,
    pytest.mark.skipif(
        proxy_program() is None or not (SYSTEMS / "modules-enabled").is_dir(),
        reason="Debian's nginx is missing: apt install nginx",
    ),
]
REFERRED = {"Referer": "https://krru.test/in/Zeno-wants-this-too-0123456789/"}
GUIDE = (BASE_DIR / "docs" / "guide" / "server.md").read_text("utf-8")


def told() -> list[str]:
    """Return the lines that the guide has for nginx, up to its own test of them."""
    (block,) = re.findall(r"```sh\n(   cp deploy/nginx\.conf .*?)```", GUIDE, re.DOTALL)
    lines = [line.strip() for line in block.strip().splitlines()]
    return lines[: lines.index("nginx -t")]


@pytest.fixture
def typed(tmp_path) -> Path:
    """A copy of the system's files after the guide's lines, with the ports 80 and 443 replaced."""
    copy = tmp_path / "nginx"
    shutil.copytree(SYSTEMS, copy, symlinks=True)
    (copy / "sites-enabled" / "default").unlink(missing_ok=True)
    for line in told():
        here = line.replace("/etc/nginx/", f"{copy}/").replace("DER-EIGENE-NAME", "krru.test")
        subprocess.run(["/bin/sh", "-ec", here], check=True, cwd=BASE_DIR)
    own_certificate(tmp_path)
    places = {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl": f"listen 127.0.0.1:{free_port()} ssl",
        "/etc/letsencrypt/live/krru.test/fullchain.pem": f"{tmp_path}/https.crt",
        "/etc/letsencrypt/live/krru.test/privkey.pem": f"{tmp_path}/https.key",
        "127.0.0.1:8001": f"127.0.0.1:{free_port()}",
        "127.0.0.1:8002": f"127.0.0.1:{free_port()}",
    }
    ours = copy / "conf.d" / "krru.conf"
    text = ours.read_text("utf-8")
    for before, after in places.items():
        assert before in text, before
        text = text.replace(before, after)
    ours.write_text(text, "utf-8")
    for file in (ours, copy / "nginx.conf"):
        text = file.read_text("utf-8").replace("/etc/nginx/", f"{copy}/")
        text = text.replace("/var/log/nginx/", f"{tmp_path}/")
        file.write_text(text.replace("/run/nginx.pid", f"{tmp_path}/nginx.pid"), "utf-8")
    return copy / "nginx.conf"


def nginx(main: Path, *words: str) -> list[object]:
    """Return what starts nginx on this file."""
    return [proxy_program(), *words, "-c", main, "-e", main.parent.parent / "error.log"]


def test_the_guides_lines_make_room_for_what_it_promises(typed) -> None:
    done = subprocess.run(nginx(typed, "-T"), capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "test is successful" in done.stderr
    (room,) = re.findall(r"^\s*worker_connections (\d+);", done.stdout, re.MULTILINE)
    (files,) = re.findall(r"^\s*worker_rlimit_nofile (\d+);", done.stdout, re.MULTILINE)
    (phones,) = re.findall(r"25000 reichen für ([\d.]+)\.", GUIDE)
    assert int(room) >= 2 * int(phones.replace(".", "")) + 1000
    assert int(files) > int(room)


def test_no_log_names_a_link_while_no_process_answers(typed, tmp_path) -> None:
    text = (typed.parent / "conf.d" / "krru.conf").read_text("utf-8")
    (port,) = re.findall(r"listen 127\.0\.0\.1:(\d+) ssl", text)
    own = {"timeout": 60, "context": trusting()}
    connection = http.client.HTTPSConnection("127.0.0.1", int(port), **own)
    process = subprocess.Popen(nginx(typed, "-g", "daemon off;"))
    try:
        assert wait_for(lambda: (tmp_path / "nginx.pid").exists() or process.poll() is not None)
        connection.request("GET", "/p/Zeno-wants-this-token-0123456789/", headers=REFERRED)
        assert connection.getresponse().status == 502
        assert wait_for(lambda: "/p/.../" in (tmp_path / "krru.log").read_text("utf-8"))
    finally:
        connection.close()
        process.terminate()
        process.wait(20)

    logs = [path for path in tmp_path.iterdir() if path.suffix in {".log", ".err"}]
    assert {"krru.log", "krru.err", "error.log"} <= {path.name for path in logs}
    assert not [path.name for path in logs if "Zeno" in path.read_text("utf-8")]
