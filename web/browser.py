"""Drives a headless Chromium over WebDriver, with only the standard library."""
import base64
import contextlib
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

# WebGL 2 by the software renderer, which works on every machine.
ARGUMENTS = [
    "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en",
]


class Failed(Exception):
    """The browser could not carry out a command."""


def missing():
    """The names of the required programs that are not installed; empty if all are."""
    names = [("chromium", ("chromium", "chromium-browser", "google-chrome")), ("chromedriver", ("chromedriver",))]
    lacking = [name for name, programs in names if not any(map(shutil.which, programs))]
    return " and ".join(lacking)


class Browser:
    def __init__(self, size=(1280, 800), scale=1.0, touch=False):
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        self.address = f"http://localhost:{port}"
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}", "--log-level=SEVERE"], stdout=subprocess.DEVNULL)
        options = {"args": [*ARGUMENTS, f"--force-device-scale-factor={scale}"]}
        if binary := next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None):
            options["binary"] = binary
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        try:
            self._wait_for_driver()
            session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        except Exception:
            self.driver.kill()
            raise
        self.session = f"/session/{session['sessionId']}"
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": scale, "mobile": touch}
        self.command("Emulation.setDeviceMetricsOverride", metrics)
        self.command("Emulation.setTouchEmulationEnabled", {"enabled": touch, "maxTouchPoints": 5})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Failed, OSError):
            self._ask("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait(10)

    def _wait_for_driver(self):
        for _ in range(100):
            with contextlib.suppress(OSError):
                if self._ask("GET", "/status")["ready"]:
                    return
            time.sleep(0.1)
        raise Failed("chromedriver does not answer")

    def _ask(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failed(json.load(error)["value"]["message"]) from None

    def command(self, name, parameters):
        """Runs a command of the Chrome DevTools Protocol."""
        return self._ask("POST", f"{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def init(self, script):
        """Runs a script in every new page, before the scripts of the page."""
        self.command("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def download_to(self, folder):
        """Saves downloads in a folder."""
        self.command("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def open(self, url):
        self._ask("POST", f"{self.session}/url", {"url": url})

    def run(self, script, *arguments):
        """Runs a JavaScript function body, and returns its result."""
        return self._ask("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """Runs a JavaScript function body, and returns what it passes to its last argument, a callback."""
        return self._ask("POST", f"{self.session}/execute/async", {"script": script, "args": list(arguments)})

    def wait_until(self, script, seconds):
        """Waits until the script returns a true value, and returns that value; `None` after the timeout."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.run(script):
                return found
            time.sleep(0.05)
        return None

    def picture(self, path):
        picture = base64.b64decode(self._ask("GET", f"{self.session}/screenshot"))
        path.write_bytes(picture)
        return picture

    def log(self):
        """The console messages of the page since the last call: level and text."""
        return [(entry["level"], entry["message"]) for entry in self._ask("POST", f"{self.session}/se/log", {"type": "browser"})]

    def point(self, kind, steps, pointer="pointer"):
        """Moves a mouse or a finger. The steps are of ("move", x, y, milliseconds), ("down",), ("up",) and ("wait", milliseconds)."""
        self.point_together(kind, {pointer: steps})

    def point_together(self, kind, pointers):
        """Moves several pointers at once, by name."""
        self._ask("POST", f"{self.session}/actions", {"actions": [
            {"type": "pointer", "id": f"{kind}-{name}", "parameters": {"pointerType": kind}, "actions": [_action(*step) for step in steps]}
            for name, steps in pointers.items()
        ]})

    def keys(self, *keys):
        """Presses these keys together."""
        pressed = [{"type": "keyDown", "value": key} for key in keys]
        released = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self._ask("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keys", "actions": pressed + released}]})


def _action(what, *values):
    match what:
        case "move":
            x, y, milliseconds = values
            return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": milliseconds, "origin": "viewport"}
        case "wait":
            return {"type": "pause", "duration": values[0]}
    return {"type": {"down": "pointerDown", "up": "pointerUp"}[what], "button": 0}
