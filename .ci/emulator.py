"""moto_server, an emulator of AWS, for as long as a check needs it."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

REGION = "us-east-1"
MAX_SECONDS_TO_START = 60

# The emulator takes any credentials. These replace the real ones of the user, so that the emulator never gets them.
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": REGION,
    "AWS_DEFAULT_REGION": REGION,
}


def installed():
    """Whether there is a moto_server."""
    return shutil.which("moto_server") is not None


@contextlib.contextmanager
def running():
    """Starts an emulator on a free port, gives its URL, and stops it in every case."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(
        ["moto_server", "-H", "127.0.0.1", "-p", str(port)],
        env={**os.environ, **ENVIRONMENT},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(server, url)
        yield url
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_for(server, url):
    end = time.monotonic() + MAX_SECONDS_TO_START
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(urllib.error.URLError, OSError):
            urllib.request.urlopen(f"{url}/moto-api/config", timeout=5).close()
            return
        time.sleep(0.2)
    sys.exit("moto_server did not become ready")
