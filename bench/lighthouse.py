"""Lighthouse over the public pages, as a phone: speed, accessibility, good practice, to be found.

Which pages these are is asked of the program; `bench lighthouse NAME …` looks at some alone.
The server is the real one, on `localhost`, which browsers trust as they do https. Pages on which
names stand ask not to be found; there the one audit that would mind it is left out.

Needs npm and internet the first time: Lighthouse is fetched in the version named here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench._club_site import laid_out
from bench._public_pages import public_pages
from bench._report import Report, percentile
from krru.devtools import chromium
from krru.devtools.serving import ServerProcess

# Lighthouse asks for a newer Node than many systems have.
PACKAGES = ("node@24", "lighthouse@13.5.0")
GOALS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
FLAGS = "--headless=new --no-sandbox --disable-gpu"
RUNS, RUNS_FULL = 1, 3
HIDDEN = "is-crawlable"


def main(arguments: list[str]) -> int:
    """Measure each page, and show the figures; what a page lost points by goes to the console."""
    npx, browser = shutil.which("npx"), chromium.find()
    if npx is None or browser is None:
        raise SystemExit("Dafür braucht es npm (npx) und Chromium.")
    runs = RUNS_FULL if "--full" in arguments else RUNS
    chosen = {one for one in arguments if not one.startswith("-")}
    report = Report("lighthouse")
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        server = ServerProcess(Path(folder) / "data")
        written = laid_out(server)
        server.start()
        try:
            base = f"http://localhost:{server.port}"
            for name, (path, is_hidden) in public_pages(base, written).items():
                if chosen and name not in chosen:
                    continue
                found = [
                    _judged(npx, browser, base + path, is_hidden=is_hidden) for _ in range(runs)
                ]
                for category, goal in GOALS.items():
                    score = percentile([one[category] for one in found], 50)
                    figure = f"{name}_{category.replace('-', '_')}"
                    report.add(figure, score, "points", goal=goal, better="higher")
        finally:
            server.stop()
    return report.show()


def _judged(npx: str, browser: str, url: str, *, is_hidden: bool) -> dict[str, float]:
    """Return the points of a page by category.

    :raises RuntimeError: Lighthouse gave no answer.
    """
    packages = [f"--package={package}" for package in PACKAGES]
    command = [npx, "--yes", *packages, "--", "lighthouse", url, "--output=json", "--quiet"]
    command += ["--output-path=stdout", f"--chrome-flags={FLAGS}"]
    command += [f"--only-categories={','.join(GOALS)}"]
    command += [f"--skip-audits={HIDDEN}"] if is_hidden else []
    own = {**os.environ, "CHROME_PATH": browser}
    done = subprocess.run(command, capture_output=True, text=True, env=own, check=False)
    try:
        told = json.loads(done.stdout)
    except ValueError as error:
        raise RuntimeError(f"Lighthouse: {done.stderr[-2000:]}") from error
    for category in told["categories"].values():
        for part in category["auditRefs"]:
            audit = told["audits"][part["id"]]
            if part["weight"] and audit["score"] is not None and audit["score"] < 1:
                print(f"{url} {category['id']}: {audit['title']} {audit['score']}", file=sys.stderr)
    return {key: round(row["score"] * 100) for key, row in told["categories"].items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
