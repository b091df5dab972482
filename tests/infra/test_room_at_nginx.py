"""What the guide for servers tells to type for nginx, typed on a copy of the system's files."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from krru.certificates import own_certificate
from krru.datafolder import BASE_DIR
from krru.devtools.cluster import proxy_program

SYSTEMS = Path("/etc/nginx")
pytestmark = [
    pytest.mark.sqlite_only,
    pytest.mark.skipif(
        proxy_program() is None or not (SYSTEMS / "modules-enabled").is_dir(),
        reason="Debian's nginx is missing: apt install nginx",
    ),
]
GUIDE = (BASE_DIR / "docs" / "guide" / "server.md").read_text("utf-8")


def told() -> list[str]:
    """Return the lines that the guide has for nginx, up to its own test of them."""
    (block,) = re.findall(r"```sh\n(   cp deploy/nginx\.conf .*?)```", GUIDE, re.DOTALL)
    lines = [line.strip() for line in block.strip().splitlines()]
    return lines[: lines.index("nginx -t")]


def test_the_guides_lines_make_room_for_what_it_promises(tmp_path) -> None:
    copy = tmp_path / "nginx"
    shutil.copytree(SYSTEMS, copy, symlinks=True)
    (copy / "sites-enabled" / "default").unlink(missing_ok=True)
    for line in told():
        typed = line.replace("/etc/nginx/", f"{copy}/").replace("DER-EIGENE-NAME", "krru.test")
        subprocess.run(["/bin/sh", "-ec", typed], check=True, cwd=BASE_DIR)
    own_certificate(tmp_path)
    ours = copy / "conf.d" / "krru.conf"
    text = ours.read_text("utf-8")
    assert "poker.example.org" not in text.partition("server {")[2]
    for name, made in (("fullchain", "https.crt"), ("privkey", "https.key")):
        text = text.replace(f"/etc/letsencrypt/live/krru.test/{name}.pem", f"{tmp_path}/{made}")
    ours.write_text(text.replace("/var/log/nginx/krru.log", f"{tmp_path}/krru.log"), "utf-8")
    main = copy / "nginx.conf"
    text = main.read_text("utf-8").replace("/etc/nginx/", f"{copy}/")
    main.write_text(text.replace("/run/nginx.pid", f"{tmp_path}/nginx.pid"), "utf-8")

    done = subprocess.run(
        [proxy_program(), "-T", "-c", main, "-e", tmp_path / "error.log"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "test is successful" in done.stderr
    (room,) = re.findall(r"^\s*worker_connections (\d+);", done.stdout, re.MULTILINE)
    (files,) = re.findall(r"^\s*worker_rlimit_nofile (\d+);", done.stdout, re.MULTILINE)
    (phones,) = re.findall(r"25000 reichen für ([\d.]+)\.", GUIDE)
    assert int(room) >= 2 * int(phones.replace(".", "")) + 1000
    assert int(files) > int(room)
