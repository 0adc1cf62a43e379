#!/usr/bin/env python3
"""A registry that misbehaves as a scenario says, and checks what it was sent. README.md has the format of scenarios.

    python3 fake.py [--port PORT] [--registry URL --admin-key KEY] [--attached]

With ``--registry`` it passes requests on to a real registry instead of answering them, and records and checks them all the same. With
``--attached`` it ends when its standard input does, and so with the program that started it.
"""

import argparse
import datetime
import json
import pathlib
import re
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = pathlib.Path(__file__).resolve().parent
AWAIT_SECONDS = 20.0
CLOCK_SECONDS = 5.0
HEARTBEAT_CONFIG = {"interval_seconds": 1, "unhealthy_after_seconds": 3, "dead_after_seconds": 9}


def names():
    """The names of all scenarios."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def replaced(value, words):
    """The value with each ``{word}`` in its texts replaced."""
    if isinstance(value, str):
        for word, text in words.items():
            value = value.replace("{" + word + "}", text)
        return value
    if isinstance(value, list):
        return [replaced(one, words) for one in value]
    if isinstance(value, dict):
        return {replaced(name, words): replaced(one, words) for name, one in value.items()}
    return value


def problem(status, code, **members):
    return {"type": "about:blank", "title": code, "status": status, "detail": "as the scenario says", "error": code, **members}


class Loaded:
    """A scenario that a client runs: the rules for its answers, and the requests that came."""

    def __init__(self, document, url, registry, keys):
        words = {"agent": "scenario-" + uuid.uuid4().hex[:12], "url": url, "url_by_name": url.replace("127.0.0.1", "localhost")}
        self.document = replaced(document, words)
        self.agent_id = words["agent"]
        self.registry, self.keys = registry, keys
        self.requests = []
        self.changed = threading.Condition()
        self.incarnation = 0
        self.drains = 0
        self.rules = [] if registry else self.document.get("answers", [])
        self.offset = datetime.timedelta(seconds=0 if registry else self.document.get("clock_offset_seconds", 0))
        other = "fake" if registry else "real"
        self.shown = {
            "url": url,
            "key": self.document.get("key", keys["agent"]),
            "options": self.document.get("options", {}),
            "agent": {"heartbeat_config": HEARTBEAT_CONFIG, **self.document.get("agent", {}), "agent_id": self.agent_id},
            "steps": [step for step in self.document["steps"] if step.get("only") != other],
        }

    def now(self):
        return datetime.datetime.now(datetime.timezone.utc) + self.offset

    def moment(self, seconds=0.0):
        moment = self.now() + datetime.timedelta(seconds=seconds)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    # What came

    def record(self, method, path, headers, body):
        """Records a request, and returns the rule for its answer, if there is one."""
        request = method + " " + path.split("?")[0]
        with self.changed:
            entry = {"request": request, "path": path, "body": body, "at": time.monotonic(), "clock": self.now()}
            entry["headers"] = {name.lower(): value for name, value in headers.items()}
            self.requests.append(entry)
            self.changed.notify_all()
            for rule in self.rules:
                numbered = self.matching(rule["request"], rule.get("having", {}))
                if entry in numbered and rule.get("from", 1) <= len(numbered) <= rule.get("to", 10**9):
                    return rule
        return {}

    def matching(self, request, body):
        """The requests that have such a body, as far as they came."""
        return [one for one in self.requests if one["request"] == request and not self.differences({"body": body}, one, {})]

    def differences(self, expected, entry, known):
        """What of a request is not as expected."""
        found = list(different(expected.get("body", {}), entry["body"] or {}, "body", known, entry["clock"]))
        found += different(expected.get("headers", {}), entry["headers"], "headers", known, entry["clock"])
        return found

    def step(self, step):
        """Does a step that is the same for every client; returns what is wrong, or None."""
        if step["do"] == "await":
            count = step.get("count", 1)
            with self.changed:
                if not self.changed.wait_for(lambda: len(self.matching(step["request"], step.get("body", {}))) >= count, AWAIT_SECONDS):
                    seen = "\n  ".join("{request} {body}".format(**one) for one in self.requests)
                    return "no {} of {} came; these did:\n  {}".format(count, json.dumps(step), seen)
            return None
        if step["do"] == "registry":
            return self.registry_step(step)
        return "unknown step " + json.dumps(step)

    def registry_step(self, step):
        """A request of somebody else to the real registry, until its answer is as expected."""
        until = time.monotonic() + AWAIT_SECONDS
        while True:
            status, answer = call(self.registry + step["path"], step["method"], step.get("body"), self.keys[step.get("by", "administrator")])
            wrong = list(different(step.get("expect", {}), answer, "answer", {}, self.now()))
            if status < 400 and not wrong:
                return None
            if time.monotonic() > until or status >= 400:
                return "{} {}: {} {}".format(step["method"], step["path"], status, wrong or answer)
            time.sleep(0.1)

    def verdict(self):
        """What of all requests is not as the scenario expects."""
        expect, failures, known = self.document.get("expect", {}), [], {}
        with self.changed:
            requests = list(self.requests)
        for request, count in expect.get("counts", {}).items():
            seen = sum(one["request"] == request for one in requests)
            least, most = count if isinstance(count, list) else (count, count)
            if not least <= seen <= most:
                failures.append("{} came {} times and not {}".format(request, seen, count))
        position, before = 0, None
        for expected in expect.get("requests", []):
            reasons = []
            while position < len(requests):
                one = requests[position]
                position += 1
                if one["request"] != expected["request"]:
                    continue
                trial = dict(known)
                wrong = self.differences(expected, one, trial)
                if not wrong:
                    known = trial
                    break
                reasons.append("; ".join(wrong))
            else:
                failures.append("missing {}: {}".format(json.dumps(expected), " | ".join(reasons) or "none came"))
                break
            waited = one["at"] - before if before is not None else 0.0
            if waited < expected.get("after_seconds", 0.0):
                failures.append("{} came {:.2f} s after the one before".format(json.dumps(expected), waited))
            before = one["at"]
        return failures

    # What the fake answers where no rule does

    def usual(self, method, path, body):
        """Status and body of a registry that works."""
        parts = path.split("?")[0].strip("/").split("/")
        here = "/api/v1/agents/" + self.agent_id
        bare = path.split("?")[0]
        if (method, bare) == ("POST", "/api/v1/agents"):
            self.incarnation += 1
            self.drains = 0
            return 201, self.agent_record()
        if (method, bare) == ("GET", here):
            return 200, self.agent_record()
        if method == "POST" and parts[-1] == "heartbeat":
            return 200, self.acknowledgement(body or {})
        if method == "POST" and parts[-1] == "outcomes":
            return 202, {"accepted": len(body["outcomes"]), "duplicate": False}
        if parts[:3] == ["api", "v1", "intents"] and parts[4:5] == ["leases"]:
            return self.lease(method, parts, body)
        if parts[-2:] == [".well-known", "agent-health"]:
            health = {"status": "healthy", "last_healthy_at": self.moment(), "uptime_seconds": 7}
            return 200, {"schema_version": "0.1.0", "agent_id": parts[1], "timestamp": self.moment(), "health": health}
        if method == "POST" and parts[-1] == "invoke":
            return 200, {"receipt_id": "rcpt_1", "status": "succeeded", "output": {}}
        if (method, bare) == ("POST", "/v1/admin/keys"):
            return 201, {"key_id": "key_1", "api_key": "ahk_new", "role": "agent"}
        if method == "DELETE":
            return 204, None
        return 404, problem(404, "agent_not_found" if parts[:3] == ["api", "v1", "agents"] else "route_not_found")

    def agent_record(self):
        config = {**HEARTBEAT_CONFIG, **self.document.get("agent", {}).get("heartbeat_config", {})}
        record = {"agent_id": self.agent_id, "incarnation": self.incarnation, "version": 1, "status": "active"}
        return {**record, "last_heartbeat_at": self.moment(), "heartbeat_config": config, **self.document.get("record", {})}

    def acknowledgement(self, body):
        status = body.get("status", "active")
        if status == "draining":
            self.drains += 1
            if self.drains > 1 and not body.get("current_load"):
                status = "deregistered"
        answer = {"acknowledged": True, "server_timestamp": self.moment(), "agent_status": status}
        answer.update(incarnation=self.incarnation, pending_commands=[])
        if "outcomes" in body:
            answer["outcomes"] = {"status_code": 202, "accepted": len(body["outcomes"]), "duplicate": False}
        return answer

    def lease(self, method, parts, body):
        if method == "DELETE":
            return 204, None
        lease = {"id": "lease_1", "intent_id": parts[3], "fencing_token": 7, "status": "active", "agent_id": self.agent_id}
        return 201 if method == "POST" else 200, {**lease, "expires_at": self.moment(body["duration_seconds"]), **body}


def different(expected, actual, where, known, clock):
    """Where a value is not what is expected of it: members that are not named may be there."""
    if isinstance(expected, dict) and any(name.startswith("$") for name in expected):
        (rule, argument), = expected.items()
        if rule == "$absent":
            if actual is not None:
                yield "{} is {!r} and should be absent".format(where, actual)
        elif rule == "$present":
            if actual is None:
                yield "{} is absent".format(where)
        elif rule == "$same":
            if actual is None or known.setdefault(argument, actual) != actual:
                yield "{} is {!r} and not the same {}".format(where, actual, argument)
        elif rule == "$registry_time":
            moment = re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", str(actual))
            if moment is None or abs((datetime.datetime.fromisoformat(moment.group() + "+00:00") - clock).total_seconds()) > CLOCK_SECONDS:
                yield "{} is {} and not about {}".format(where, actual, clock.isoformat())
        else:
            yield "{}: unknown rule {}".format(where, rule)
    elif isinstance(expected, dict):
        for name, value in expected.items():
            yield from different(value, (actual or {}).get(name), where + "." + name, known, clock)
    elif isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            yield "{} is {!r} and not {!r}".format(where, actual, expected)
        else:
            for index, value in enumerate(expected):
                yield from different(value, actual[index], "{}[{}]".format(where, index), known, clock)
    elif expected != actual:
        yield "{} is {!r} and not {!r}".format(where, actual, expected)


def call(url, method, body, key):
    """Status and JSON of an answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"X-API-Key": key, "Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"{}")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read() or b"{}")


class Handler(BaseHTTPRequestHandler):
    """Paths begin with the number of a scenario; those below ``/_fake`` are for the program that runs it."""

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def _serve(self):
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        if self.path == "/_fake/scenarios":
            return self._send(200, self.server.fake.load(json.loads(raw)) if raw else names())
        number, _, path = self.path[1:].partition("/")
        loaded = self.server.fake.loaded.get(number)
        if loaded is None:
            return self._send(404, problem(404, "route_not_found"))
        if path == "_fake/step":
            return self._send(200, {"failure": loaded.step(json.loads(raw))})
        if path == "_fake/verdict":
            return self._send(200, {"failures": loaded.verdict()})
        return self._answer(loaded, "/" + path, raw)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve

    def _answer(self, loaded, path, raw):
        body = json.loads(raw) if raw else None
        rule = loaded.record(self.command, path, self.headers, body)
        if rule.get("cut") == "before":
            return self._cut()
        time.sleep(rule.get("delay_seconds", 0.0))
        if loaded.registry:
            return self._forward(loaded, path, raw)
        status, document = rule.get("status"), rule.get("body")
        if status is None or rule.get("cut"):
            usual_status, usual = loaded.usual(self.command, path, body)
            status = status or usual_status
            document = {**(usual or {}), **rule.get("merge", {})} if document is None and usual is not None else document
        elif "error" in rule:
            document = {**problem(status, rule["error"]), **(document or {})}
        if rule.get("cut"):
            return self._cut()
        headers = {"Date": loaded.now().strftime("%a, %d %b %Y %H:%M:%S GMT"), **rule.get("headers", {})}
        return self._send(status, document, headers, rule.get("text"))

    def _forward(self, loaded, path, raw):
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "accept-encoding")}
        request = urllib.request.Request(loaded.registry + path, raw or None, headers, method=self.command)
        try:
            answer = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            kept = {name: value for name, value in answer.headers.items() if name in ("Retry-After", "ETag", "Date")}
            self._send(answer.status, None, kept, answer.read().decode())

    def _cut(self):
        # Without an answer: the client sees that the connection ended.
        self.close_connection = True

    def _send(self, status, document, headers=None, text=None):
        body = text.encode() if text is not None else b"" if document is None else json.dumps(document).encode()
        kind = "text/html" if text is not None and not text.startswith("{") else "application/json"
        self.send_response_only(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    #: All scenarios begin at once.
    request_queue_size = 128


class Fake:
    """The server. Runs many scenarios at once, each at a URL of its own."""

    def __init__(self, port=0, registry="", admin_key=""):
        self.loaded = {}
        self.registry, self.keys = registry.rstrip("/"), {"administrator": admin_key, "agent": "ahk_scenario"}
        for name in ("agent", "other") if registry else ():
            _, issued = call(self.registry + "/v1/admin/keys", "POST", {"role": "agent", "name": name}, admin_key)
            self.keys[name] = issued["api_key"]
        self._server = Server(("127.0.0.1", port), Handler)
        self._server.fake = self
        self._lock = threading.Lock()
        self.url = "http://127.0.0.1:{}".format(self._server.server_port)

    def load(self, wanted):
        """Loads a scenario by its name, or as it is in ``scenario``, and returns its URL, key, agent and steps; without steps where it is not for a real registry."""
        document = wanted.get("scenario") or json.loads((FOLDER / (wanted["name"] + ".json")).read_text(encoding="utf-8"))
        if self.registry and not document.get("real"):
            return {"steps": []}
        with self._lock:
            number = str(len(self.loaded) + 1)
            loaded = Loaded(document, self.url + "/" + number, self.registry, self.keys)
            self.loaded[number] = loaded
        return loaded.shown

    def start(self):
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def serve(self):
        self._server.serve_forever(0.05)

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--registry", default="")
    parser.add_argument("--admin-key", default="")
    parser.add_argument("--attached", action="store_true")
    options = parser.parse_args()
    fake = Fake(options.port, options.registry, options.admin_key)
    print("ready at " + fake.url, flush=True)
    if options.attached:
        threading.Thread(target=lambda: (sys.stdin.read(), fake.close()), daemon=True).start()
    fake.serve()


if __name__ == "__main__":
    main()
