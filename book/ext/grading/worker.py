"""A warm process: it has imported what notebooks need and read the data, and waits for submissions.

Each submission gets a copy of it (a fork), in a closed room where the machine allows one. Where a
system can't fork (Windows), the program serves one submission and ends.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import os
import signal
import socket
import sys
import traceback

from grading import contain, kernel

MODULES = (
    "carebook",
    "carebook.agreement",
    "carebook.baselines",
    "carebook.figures",
    "carebook.perspectives",
    "carebook.scoring",
    "IPython.core.interactiveshell",
    "ipywidgets",
    "matplotlib.pyplot",
    "scipy.stats",
    "seaborn",
    "sklearn.dummy",
    "sklearn.ensemble",
    "sklearn.feature_extraction.text",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "sklearn.neighbors",
    "sklearn.pipeline",
    "sklearn.preprocessing",
)


def warm_up(data: str) -> None:
    """Import what notebooks import, and let both loaders hand out copies of what was read once."""
    for name in MODULES:
        importlib.import_module(name)
    if data:
        os.environ["CAREBENCH_DATA"] = data
        os.environ["IMBUE_DATA"] = os.path.join(data, "imbue.csv")
        for loader, files in (
            ("carebench.load_carebench", ("data", data)),
            ("imbue.load_imbue", ("data/imbue.csv", os.path.join(data, "imbue.csv"))),
        ):
            _remember(loader, files)


def _remember(loader: str, places: tuple[str, ...]) -> None:
    module = importlib.import_module(f"carebook.{loader.split('.')[0]}")
    name = loader.split(".")[1]
    load = getattr(module, name)
    once = load(places[-1])

    def load_again(source=None):
        if source is not None and str(source) not in places:
            return load(source)
        tables = {
            field.name: value.copy()
            for field in dataclasses.fields(once)
            if hasattr(value := getattr(once, field.name), "columns")
        }
        return dataclasses.replace(once, **tables)

    load_again.__doc__ = load.__doc__
    load_again.__name__ = load_again.__qualname__ = name
    setattr(module, name, load_again)
    setattr(importlib.import_module("carebook"), name, load_again)


def limit(job: dict, closed: bool) -> None:
    """Set the limits that the system itself keeps: memory, size and number of files, processes."""
    try:
        import resource
    except ImportError:
        return
    with open("/proc/self/statm") if sys.platform == "linux" else open(os.devnull) as pages:
        used = int(pages.read().split()[0] or 0) * 4096 if sys.platform == "linux" else 0
    wanted = {
        "RLIMIT_AS": used + job["megabytes"] * 2**20,
        "RLIMIT_FSIZE": job["file_megabytes"] * 2**20,
        "RLIMIT_NOFILE": 256,
        "RLIMIT_CORE": 0,
    }
    if closed:  # elsewhere it would count everything that this user runs
        wanted["RLIMIT_NPROC"] = 64
    for name, value in wanted.items():
        resource.setrlimit(getattr(resource, name), (value, value))


def _streams(connection: socket.socket) -> kernel.Lines:
    return kernel.Lines(connection.makefile("rb"), connection.makefile("wb"))


def _silent() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)


def serve_one(connection: socket.socket, room: contain.Room | None) -> None:
    """Serve one submission in this forked process, and end."""
    channel = _streams(connection)
    job = channel.read()
    os.setsid()
    _silent()
    if room is None:
        channel.write({"pid": os.getpid()})
        _move_into(job["home"])
        limit(job, closed=False)
        kernel.execute(channel, job)
        os._exit(0)
    contain.unshare()
    ready, go = os.pipe()
    child = os.fork()
    if child:
        os.close(ready)
        channel.write({"pid": child})
        connection.close()
        os.write(go, b".")
        os.waitpid(child, 0)
        os._exit(0)
    os.close(go)
    os.read(ready, 1)
    contain.furnish(room)
    contain.give_up_rights()
    contain.die_with_parent()
    _move_into(room.home)
    limit(job, closed=True)
    channel.owner = os.getpid()
    kernel.execute(channel, job)
    os._exit(0)


def _move_into(home: str) -> None:
    os.chdir(home)
    kept = ("PATH", "LANG", "PYTHONUTF8", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MPLBACKEND")
    kept += ("CAREBENCH_DATA", "IMBUE_DATA", "SYSTEMROOT")
    for name in set(os.environ) - set(kept):
        del os.environ[name]
    os.environ["HOME"] = os.environ["USERPROFILE"] = home
    if os.path.isdir("data"):
        os.environ.update(CAREBENCH_DATA="data", IMBUE_DATA="data/imbue.csv")


def serve(control: socket.socket, room: contain.Room | None) -> None:
    """Fork for each connection that is handed over, one at a time, until the other end is gone."""
    control.sendall(b"ready\n")
    while True:
        _, handed, _, _ = socket.recv_fds(control, 16, 1)
        if not handed:
            return
        connection = socket.socket(fileno=handed[0])
        child = os.fork()
        if child == 0:
            try:
                control.close()
                serve_one(connection, room)
            except BaseException:
                _report(connection)
            os._exit(1)
        connection.close()
        os.waitpid(child, 0)
        control.sendall(b"free\n")


def _report(connection: socket.socket) -> None:
    """Say why a submission could not be started; nobody may be left to hear it."""
    with contextlib.suppress(OSError):
        _streams(connection).write({"broken": traceback.format_exc()[-2000:]})


def main() -> None:
    """Warm up, then serve: ``python -m grading.worker SETTINGS`` (JSON)."""
    settings = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    contain.die_with_parent()
    if settings["control"] is None:
        once(settings["data"])
    else:
        warm_up(settings["data"])
        room = contain.Room(**settings["room"]) if settings["room"] else None
        serve(socket.socket(fileno=settings["control"]), room)


def once(data: str) -> None:
    """Serve the one submission that arrives on standard input."""
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _silent()
    channel = kernel.Lines(reader, writer)
    try:
        warm_up(data)
    except Exception:
        channel.write({"broken": traceback.format_exc()[-2000:]})
        return
    job = channel.read()
    _move_into(job["home"])
    limit(job, closed=False)
    kernel.execute(channel, job)


if __name__ == "__main__":
    main()
