# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A headless Chromium, driven over the W3C WebDriver protocol of its own driver: HTTP and JSON, no library."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import typing as t
from pathlib import Path

import requests

PROGRAMS = ("chromium", "chromedriver")
STARTED = re.compile(r"started successfully on port (\d+)")
PATIENCE = 30.0
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""Key of a reference to an element; section 12 of the protocol."""

OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--no-first-run", "--no-default-browser-check", "--disable-default-apps", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"),
    "--host-resolver-rules=MAP * ~NOTFOUND",  # whatever a page asks for is not there
)
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " "}
Item = t.Dict[str, t.Any]


class BrowserError(Exception):
    """The driver says that a command failed, for example because a dialog is open."""


class Browser:
    """One browser with one window."""

    def __init__(self, folder: Path) -> None:
        """Start driver and browser; ``folder`` is the profile."""
        driver = str(shutil.which("chromedriver"))
        self._process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True)
        try:
            self._address = f"http://127.0.0.1:{self._port()}"
            self._http = requests.Session()
            self._http.trust_env = False  # no proxy to this machine
            self._address += f"/session/{self._open(folder)['sessionId']}"
        except BaseException:
            self._process.kill()
            raise

    def _port(self) -> str:
        assert self._process.stdout
        for line in self._process.stdout:
            found = STARTED.search(line)
            if found:
                return found.group(1)
        raise BrowserError("chromedriver ended before it listened")

    def _open(self, folder: Path) -> Item:
        desired = {
            "browserName": "chrome",
            "goog:chromeOptions": {
                "binary": shutil.which("chromium"),
                "args": [*OPTIONS, f"--user-data-dir={folder}"],
                "perfLoggingPrefs": {"enableNetwork": True, "enablePage": False},
            },
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        opened: Item = self._send("POST", "/session", {"capabilities": {"alwaysMatch": desired}})
        return opened

    def close(self) -> None:
        """End the browser, then the driver."""
        try:
            self._send("DELETE", "")
        finally:
            self._process.terminate()
            self._process.wait(PATIENCE)

    def _send(self, verb: str, path: str, body: Item | None = None) -> t.Any:
        answer = self._http.request(verb, self._address + path, json=body, timeout=PATIENCE)
        value = answer.json()["value"]
        if not answer.ok:
            raise BrowserError(f"{value['error']}: {value['message'].splitlines()[0]}")
        return value

    def devtools(self, command: str, **parameters: t.Any) -> Item:
        """Send a command of the DevTools protocol."""
        done: Item = self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})
        return done

    def look(self, *, width: int, scheme: str, media: str = "screen") -> None:
        """Be so many pixels wide, prefer light or dark, and show or print."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.devtools("Emulation.setEmulatedMedia", media=media, features=features)
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.devtools("Emulation.setDeviceMetricsOverride", **size)

    def scripts(self, *, run: bool) -> None:
        """Let pages run scripts, or not; ``tell`` works in any case."""
        self.devtools("Emulation.setScriptExecutionDisabled", value=not run)

    def open(self, page: Path) -> None:
        """Load a file; forget what was logged before."""
        self.errors()
        self.requests()
        self._send("POST", "/url", {"url": page.as_uri()})
        while self.tell("document.readyState") != "complete":  # of a large file, the driver may see the one before
            pass

    def tell(self, expression: str) -> t.Any:
        """Return the value of an expression in the page; a promise is waited for."""
        desired = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        done = self.devtools("Runtime.evaluate", **desired)
        if "exceptionDetails" in done:
            raise BrowserError(json.dumps(done["exceptionDetails"])[:2000])
        return done["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key on whatever has the focus."""
        element = self._send("GET", "/element/active")[ELEMENT]
        self._send("POST", f"/element/{element}/value", {"text": KEYS.get(key, key)})

    def click(self, selector: str) -> None:
        """Click the first element that the selector finds."""
        found = self._send("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]
        self._send("POST", f"/element/{found}/click", {})

    def errors(self) -> list[str]:
        """Return the messages of the console since the last call, those of the policy for content too."""
        return [str(entry["message"]) for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        sent = [one["params"] for one in messages if one["method"] == "Network.requestWillBeSent"]
        return [str(one["request"]["url"]) for one in sent]

    def _log(self, kind: str) -> list[Item]:
        entries: list[Item] = self._send("POST", "/se/log", {"type": kind})
        return entries

    def picture(self, file: Path, most: int = 2400, *, optimize: bool = False) -> None:
        """Save a picture of the page, of a long one the beginning; ``optimize``: in a small file, which takes time."""
        width, height = self.tell("[innerWidth, Math.ceil(document.documentElement.getBoundingClientRect().height)]")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, most), "scale": 1}
        options = {"captureBeyondViewport": True, "optimizeForSpeed": not optimize, "clip": clip}
        shot = self.devtools("Page.captureScreenshot", **options)
        file.write_bytes(base64.b64decode(shot["data"]))

    def printed(self) -> bytes:
        """Return the page as PDF."""
        return base64.b64decode(self.devtools("Page.printToPDF", printBackground=True)["data"])
