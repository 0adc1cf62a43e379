"""A receiver of webhooks with the official SDK of CloudEvents, on the port of the first argument: writes what it understands to its standard output."""

import http.server
import json
import sys

from cloudevents.core.bindings.http import HTTPMessage, from_http_event


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        event = from_http_event(HTTPMessage(headers=dict(self.headers.items()), body=body))
        mode = "binary" if "ce-id" in self.headers else "structured"
        print(json.dumps({"mode": mode, **event.get_attributes(), "data": event.get_data()}, default=str), flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
