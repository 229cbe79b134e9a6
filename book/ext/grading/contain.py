"""A closed room for a process: no network, no other process, and of the disk only what is named.

On Linux this takes namespaces, which an ordinary user may make on most machines. Everything here
runs in a child process right after it was forked; only the standard library is used, and no file
of the machine is changed. What a machine can't do raises OSError, and `probe` finds out beforehand.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path

NEW_USER, NEW_NS, NEW_PID, NEW_NET, NEW_IPC, NEW_UTS = (
    0x10000000,
    0x00020000,
    0x20000000,
    0x40000000,
    0x08000000,
    0x04000000,
)
NO_SUID, NO_DEV, NO_EXEC, REMOUNT, BIND, REC, PRIVATE = 2, 4, 8, 32, 4096, 16384, 1 << 18
DETACH = 2
AT_RECURSIVE, ATTR_READ_ONLY, ATTR_NO_SUID = 0x8000, 1, 2
SYS_MOUNT_SETATTR = 442
SET_DEATH_SIGNAL, DROP_BOUND_CAPABILITY, NO_NEW_PRIVILEGES, NOT_DUMPABLE = 1, 24, 38, 4
NOBODY = 65534
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
SYSTEM += ("/etc/fonts", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/nix/store")
DEVICES = ("null", "zero", "full", "random", "urandom")


@dataclass(frozen=True)
class Room:
    """What a process may see and use.

    Attributes
    ----------
    readable : tuple of str
        Files and folders that stay where they are, for reading only.
    placed : dict
        Path inside the room -> file or folder of the machine, for reading only.
    home : str
        The one folder, besides ``/tmp``, in which files may be written; empty at first.
    megabytes : int
        How much may be written there.
    """

    readable: tuple[str, ...] = ()
    placed: dict[str, str] = field(default_factory=dict)
    home: str = "/home/student"
    megabytes: int = 64


def _libc():
    return ctypes.CDLL(None, use_errno=True)


def _check(status: int, what: str) -> None:
    if status:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source, target, kind="", flags=0, options="") -> None:
    arguments = [str(text).encode() or None for text in (source, target, kind)]
    _check(_libc().mount(*arguments, flags, options.encode() or None), f"mount {target}")


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user")]


def _read_only(path) -> None:
    wanted = _Attributes(set=ATTR_READ_ONLY | ATTR_NO_SUID)
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    call = _libc().syscall
    place = str(path).encode()
    status = call(SYS_MOUNT_SETATTR, -100, place, AT_RECURSIVE, ctypes.byref(wanted), size)
    _check(status, f"make {path} read-only")


def _show(handle: int, place: Path) -> None:
    """Let a file or folder of the machine appear at a place of the new root, for reading only.

    It is named by an open handle, because the new root may cover the place where it stands.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISDIR(os.fstat(handle).st_mode):
        place.mkdir(exist_ok=True)
    else:
        place.touch()
    _mount(f"/proc/self/fd/{handle}", place, flags=BIND | REC)
    os.close(handle)
    _read_only(place)


def unshare() -> None:
    """Leave the machine's namespaces; the next child is process 1 of its own."""
    root = os.geteuid() == 0
    flags = NEW_NS | NEW_PID | NEW_NET | NEW_IPC | NEW_UTS | (0 if root else NEW_USER)
    user, group = os.getuid(), os.getgid()
    what = "unshare" if root else "this machine gives ordinary users no namespaces"
    _check(_libc().unshare(flags), what)
    if not root:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def furnish(room: Room) -> None:
    """Build the new root, move into it and put the old one away. Runs as process 1."""
    _mount("none", "/", flags=REC | PRIVATE)
    links = {source: os.readlink(source) for source in SYSTEM if os.path.islink(source)}
    readable = _outermost(path for path in {*SYSTEM, *room.readable} if path not in links)
    readable = {path: os.open(path, os.O_PATH) for path in readable}
    placed = {place: os.open(path, os.O_PATH) for place, path in room.placed.items()}
    root = Path("/tmp")
    _mount("room", root, "tmpfs", NO_SUID, "size=16m,mode=755")
    for source, aim in links.items():
        link = root / source.lstrip("/")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(aim)
    _writable(root, room)  # before what is only read: the book itself may lie in /tmp
    for source, handle in readable.items():
        _show(handle, root / source.lstrip("/"))
    for place, handle in placed.items():
        _show(handle, root / place.lstrip("/"))
    _enter(root)


def _outermost(paths) -> list[str]:
    """Leave out what isn't there, and what stands inside another one."""
    found: list[str] = []
    for path in sorted(paths):
        inside = any(path.startswith(above + "/") for above in found)
        if not inside and os.path.exists(path):
            found.append(path)
    return found


def _writable(root: Path, room: Room) -> None:
    owner = f"uid={NOBODY},gid={NOBODY}," if os.geteuid() == 0 else ""
    size = f"{owner}size={room.megabytes}m,nr_inodes=4096"
    for place, mode in ((room.home, "700"), ("/tmp", "1777"), ("/dev/shm", "1777")):
        target = root / place.lstrip("/")
        target.mkdir(parents=True, exist_ok=True)
        _mount("files", target, "tmpfs", NO_SUID | NO_DEV, f"{size},mode={mode}")
    for name in DEVICES:
        place = root / "dev" / name
        place.touch()
        _mount(f"/dev/{name}", place, flags=BIND)
    (root / "proc").mkdir(exist_ok=True)
    # It fails inside some containers; a room without /proc is a room, too.
    with contextlib.suppress(OSError):
        _mount("proc", root / "proc", "proc", NO_SUID | NO_DEV | NO_EXEC)


def _enter(root: Path) -> None:
    os.chdir(root)
    pivot = _libc().syscall
    number = {"x86_64": 155, "aarch64": 41, "riscv64": 41}.get(os.uname().machine)
    if number is None:
        raise OSError(f"this grader can't close a room on {os.uname().machine}")
    _check(pivot(number, b".", b"."), "pivot_root")
    _check(_libc().umount2(b".", DETACH), "leave the old root")
    os.chdir("/")


def give_up_rights() -> None:
    """Become nobody for good: no capability, no way to a new one."""
    libc = _libc()
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    for capability in range(64):
        libc.prctl(DROP_BOUND_CAPABILITY, capability, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    _check(libc.capset(header, (ctypes.c_uint32 * 6)()), "drop capabilities")
    _check(libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")


def die_with_parent() -> None:
    """Let the kernel end this process when the one that made it ends."""
    if sys.platform == "linux":
        _libc().prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def readable_python() -> tuple[str, ...]:
    """The folders that Python needs to go on importing: its own, its packages', carebook's."""
    import carebook

    package = os.path.dirname(os.path.realpath(carebook.__file__))
    return (os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix), sys.prefix, package)


def probe(room: Room) -> str:
    """Try to open a room. Return "" if it is closed as it should be, else what went wrong."""
    if sys.platform != "linux":
        return "this system has no Linux namespaces"
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            _try(room, writer)
        except BaseException as problem:
            os.write(writer, str(problem).encode()[:500])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        said = stream.read().decode(errors="replace")
    os.waitpid(child, 0)
    return "" if said == "closed" else said or "the trial process ended without a word"


def _try(room: Room, writer: int) -> None:
    needed = [path for path in room.readable if os.path.exists(path)]
    unshare()
    child = os.fork()
    if child == 0:
        try:
            furnish(room)
            give_up_rights()
            os.chdir(room.home)
            Path("trial").write_text("x")
            lost = [path for path in needed if not os.access(path, os.R_OK | os.X_OK)]
            said = f"{lost[0]} can't be read inside" if lost else _leaks()
            os.write(writer, said.encode() or b"closed")
        except BaseException as problem:
            os.write(writer, str(problem).encode()[:500])
        os._exit(0)
    os.waitpid(child, 0)


def _leaks() -> str:
    import socket

    try:
        Path("/usr/trial").write_text("x")
        return "a folder of the machine can be written to"
    except OSError:
        pass
    try:
        with socket.socket() as wire:
            wire.settimeout(0.2)
            wire.connect(("192.0.2.1", 9))
        return "the network answers"
    except OSError:
        pass
    return "" if os.getpid() == 1 else "other processes can be seen"
