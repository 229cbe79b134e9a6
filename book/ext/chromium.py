"""The Chromium, Chrome or Edge that is installed on this machine."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
INSTALLED = {
    "darwin": [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ],
    "win32": [
        r"{ProgramFiles}\Google\Chrome\Application\chrome.exe",
        r"{ProgramFiles(x86)}\Google\Chrome\Application\chrome.exe",
        r"{ProgramFiles(x86)}\Microsoft\Edge\Application\msedge.exe",
    ],
}


def chromium_of_the_machine() -> str | None:
    """The path of the browser, or None when none of the usual ones is there."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    for pattern in INSTALLED.get(sys.platform, []):
        path = pattern
        for variable in ("ProgramFiles(x86)", "ProgramFiles"):
            path = path.replace(f"{{{variable}}}", os.environ.get(variable, ""))
        if Path(path).exists():
            return path
    return None
