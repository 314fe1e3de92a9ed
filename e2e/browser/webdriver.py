"""A headless Chromium, driven over WebDriver: HTTP and JSON, so the standard library is enough."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Backspace": "\ue003"}
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--hide-scrollbars", "--force-color-profile=srgb",
]


class Browser:
    def __init__(self, chromium, driver):
        self.profile = tempfile.mkdtemp(prefix="tf-phi-browser-")
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.session = None
        try:
            port = next(m.group(1) for line in self.process.stdout if (m := re.search(r"successfully on port (\d+)", line)))
            self.base = f"http://127.0.0.1:{port}"
            options = {"binary": chromium, "args": [*FLAGS, f"--user-data-dir={self.profile}"]}
            wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
                      "unhandledPromptBehavior": "ignore"}
            self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        except BaseException:
            self.close()
            raise

    def close(self):
        try:
            if self.session:
                self.call("DELETE", f"/session/{self.session}")
        finally:
            self.process.terminate()
            self.process.wait(10)
            self.process.stdout.close()
            shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        # No proxy stands between this machine and itself.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def own(self, path, body=None, method="POST"):
        return self.call(method, f"/session/{self.session}{path}", {} if body is None and method == "POST" else body)

    def open(self, path):
        self.own("/url", {"url": path.resolve().as_uri()})

    def run(self, script, *args):
        return self.own("/execute/sync", {"script": script, "args": list(args)})

    def cdp(self, cmd, **params):
        return self.own("/goog/cdp/execute", {"cmd": cmd, "params": params})

    def press(self, *keys):
        """Types keys, named ones or characters, into whatever has the focus."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.own("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def type(self, text):
        self.press(*text)
        # What was typed is looked at in the next frame.
        self.frame()

    def frame(self):
        done = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)))"
        self.own("/execute/async", {"script": done, "args": []})

    def log(self, kind):
        return self.own("/se/log", {"type": kind})

    def size(self, width, height, scale=1):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)

    def prefers(self, scheme):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.own("/screenshot", method="GET")))
