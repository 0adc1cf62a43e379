"""Receives notifications of A2A, for the clients that are tried: checks that they are signed with the secret of the client."""

import base64
import hashlib
import hmac
import http.server
import json
import queue
import threading

TOKEN = "the-token-of-the-client"


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        signature = base64.b64encode(hmac.new(TOKEN.encode(), signed, hashlib.sha256).digest()).decode()
        right = self.headers["X-A2A-Notification-Token"] == TOKEN and self.headers["webhook-signature"] == "v1," + signature
        if right:
            self.server.received.put(json.loads(body))
        self.send_response(204 if right else 401)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def start():
    """Returns the URL of a receiver, and the queue of what it received."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.received = queue.Queue()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/a2a", server.received
