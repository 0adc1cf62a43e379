"""What the checks with counterparts share: packages of pinned versions, processes, and the packaged local run."""

import contextlib
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JAR = ROOT / "local" / "target" / "agent-health-local.jar"
SOURCES = ROOT / ".ci" / "counterparts"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agent-health"
KEY = "counterparts-administrator-key"
MAX_SECONDS_TO_INSTALL = 300
MAX_SECONDS_TO_START = 90
MAX_SECONDS = 60


def installed(tool, pins, command):
    """The folder with the packages of pinned versions, a file or a folder; none where they cannot be installed."""
    files = sorted((SOURCES / pins).iterdir()) if (SOURCES / pins).is_dir() else [SOURCES / pins]
    content = b"".join(file.read_bytes() for file in files)
    folder = CACHE / f"{tool}-{hashlib.sha256(content).hexdigest()[:12]}"
    if folder.exists():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        for file in files:
            shutil.copy(file, scratch)
        try:
            subprocess.run(
                command(scratch), cwd=scratch, check=True, timeout=MAX_SECONDS_TO_INSTALL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError):
            print(f"{Path(sys.argv[0]).name}: skipped what {tool} installs for {pins}: {tool} or its registry is missing")
            return None
        with contextlib.suppress(OSError):
            os.rename(scratch, folder)
            os.mkdir(scratch)
    return folder


def installed_by_pip(pins):
    """The folder with the packages of a file of requirements; none where they cannot be installed."""
    return installed("pip", pins, lambda folder: [
        sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile", "--retries", "1", "--target", folder,
        "-r", "requirements.txt",
    ])  # fmt: skip


def installed_by_npm(pins):
    """The folder with the packages of a `package.json`; none where they cannot be installed."""
    return installed("npm", pins, lambda folder: ["npm", "install", "--no-audit", "--no-fund", "--fetch-retries", "1"])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait(what, found, seconds=MAX_SECONDS):
    """Waits until `found` returns something true, and returns it."""
    end = time.monotonic() + seconds
    while True:
        result = found()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(1)


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Programs:
    """Processes that end with this check."""

    def __init__(self, folder):
        self.folder = folder
        self.started = []

    def start(self, name, command, environment=None, folder=None):
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **(environment or {})}, cwd=folder)
        self.started.append(process)
        return process

    def end(self):
        for process in self.started:
            process.kill()
            process.wait()

    def print_logs(self):
        for log in sorted(self.folder.glob("*.log")):
            print(f"--- {log.name}\n{log.read_text(errors='replace')[-4000:]}")


class Registry:
    """The packaged local run."""

    def __init__(self, programs):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.environment = {"AGENT_HEALTH_URL": self.url, "AGENT_HEALTH_KEY": KEY}
        programs.start(
            "registry",
            ["java", "-XX:TieredStopAtLevel=1", "-jar", str(JAR)],
            {
                "AGENT_HEALTH_PORT": str(port),
                "AGENT_HEALTH_ADMIN_KEY": KEY,
                "AGENT_HEALTH_SWEEP_SECONDS": "1",
                "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS": "true",
            },
        )
        wait("the registry starts", self.answers, MAX_SECONDS_TO_START)

    def answers(self):
        """Whether it answers: its port is open before."""
        try:
            urllib.request.urlopen(self.url + "/openapi.json", timeout=30).close()
        except OSError:
            return False
        return True

    def call(self, path, body=None, method=None):
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode() if body else None, {"X-API-Key": KEY, "Content-Type": "application/json"},
            method=method,
        )  # fmt: skip
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read().decode()}") from error
