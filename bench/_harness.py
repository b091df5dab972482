"""Shared by the benchmarks: report of figures, own servers, work inside Django."""

import json
import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from krru.devtools.postgres import Postgres, valkey
from krru.devtools.serving import ServerProcess

DATABASES = ("sqlite", "postgres")
# With PostgreSQL's default durability: a commit is on the disk.
DURABLE = ["fsync=on", "synchronous_commit=on", "max_connections=200"]
FILES_WANTED = 16_000


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the nearest-rank percentile."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


@dataclass(slots=True)
class Report:
    """The figures of one benchmark, printed last as one JSON object."""

    bench: str
    figures: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self, name: str, value: float, unit: str, goal: float | None = None, better: str = "lower"
    ) -> None:
        """Add a figure; without a goal it is information only."""
        met = goal is None or (value <= goal if better == "lower" else value >= goal)
        told = {"name": name, "value": round(value, 4), "unit": unit}
        self.figures.append({**told, "goal": goal, "better": better, "met": met})

    def show(self) -> int:
        """Print figures and object; return 0 if every goal is met."""
        for one in self.figures:
            goal = "" if one["goal"] is None else f"  (goal {one['goal']:g})"
            missed = "" if one["met"] else "  MISSED"
            print(f"{one['name']:45} {one['value']:12,g} {one['unit']}{goal}{missed}")
        load = " ".join(f"{one:.1f}" for one in os.getloadavg())
        print(f"load of the machine at the end: {load}")
        print(json.dumps({"bench": self.bench, "figures": self.figures}))
        return 0 if all(one["met"] for one in self.figures) else 1


class Task:
    """A function that needs Django: called in its own process, on a server's data."""

    known: ClassVar[list[str]] = []

    def __init__(self, name: str) -> None:
        self._name = name
        self.known.append(name)

    def __call__(self, server: ServerProcess, *words: Any) -> Any:
        server.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return server.ask("bench", self._name, json.dumps(words))


@contextmanager
def servers(
    database: str = "sqlite", *, count: int = 1, kind: type[ServerProcess] = ServerProcess
) -> Iterator[list[ServerProcess]]:
    """Yield servers of one club, not started; stop them at the end.

    Several servers share PostgreSQL and Valkey, as behind a proxy.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="krru-bench-")))
        env = {}
        if database == "postgres":
            env["DATABASE_URL"] = stack.enter_context(Postgres(DURABLE)).url
        if count > 1:
            env["REDIS_URL"] = stack.enter_context(valkey())
        made = [kind(folder / "data", env) for _ in range(count)]
        for one in made:
            stack.callback(one.stop)
        yield made


@contextmanager
def server(
    database: str = "sqlite", kind: type[ServerProcess] = ServerProcess
) -> Iterator[ServerProcess]:
    with servers(database, kind=kind) as [one]:
        yield one


def measured(task: Task, *words: Any) -> Any:
    """Call a task on a new data folder: a real file, with synchronised commits."""
    with server() as nobody:
        return task(nobody, *words)


def timed_ms(do: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    do()
    return (clock() - began) * 1000


def raise_open_files() -> None:
    """Raise the limit of open files for this process and its children."""
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def memory_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
