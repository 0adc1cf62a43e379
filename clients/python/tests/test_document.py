"""The document that an agent serves of itself, and what serves it."""

import asyncio
import datetime
import json
import pathlib
import random
import unittest
import urllib.error
import urllib.request

from agent_health import OwnHealth
from agent_health.gate import PATH
from tests.fakes import Fixture

SCHEMA = pathlib.Path(__file__).resolve().parents[3] / "docs" / "schemas" / "agent-health-0.1.0.json"
START = 1_770_544_800.0


def mistakes(value, schema, where="$"):
    """What of a value breaks the rules of the schema, as far as it uses them."""
    kinds = schema.get("type", [])
    names = {"object": dict, "string": str, "number": (int, float), "integer": int, "null": type(None)}
    allowed = [names[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    if allowed and not isinstance(value, tuple(one for kind in allowed for one in (kind if isinstance(kind, tuple) else (kind,)))):
        yield "{}: {!r} is no {}".format(where, value, kinds)
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        yield "{}: {!r}".format(where, value)
    if isinstance(value, (int, float)) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield "{}: {!r}".format(where, value)
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield "{}: without {}".format(where, name)
        for name, one in value.items():
            if name in schema.get("properties", {}):
                yield from mistakes(one, schema["properties"][name], where + "." + name)
            elif schema.get("additionalProperties") is False:
                yield "{}: {} is unknown".format(where, name)


class DocumentTest(unittest.TestCase):
    def setUp(self):
        self.now = START
        self.health = self.made()

    def made(self, **settings):
        return OwnHealth("https://agent.test", clock=lambda: self.now, **settings)

    def record(self, successes, failures, health=None, **more):
        for number in range(successes + failures):
            (health or self.health).record({"result": "success" if number < successes else "failure", **more})

    def later(self, seconds=60, health=None):
        self.now += seconds
        return (health or self.health).document()

    def test_the_status_follows_from_the_outcomes_by_the_rules_of_the_registry(self):
        for successes, failures, status in ((0, 0, "unknown"), (9, 0, "unknown"), (10, 0, "healthy"), (19, 1, "healthy"),
                                            (18, 1, "degraded"), (5, 5, "degraded"), (4, 6, "unhealthy"), (0, 10, "unhealthy")):
            with self.subTest((successes, failures)):
                health = self.made()
                self.record(successes, failures, health)
                found = health.document()
                self.assertEqual(found["health"]["status"], status)
                self.assertEqual(found["calibration"]["sample_count"], successes + failures)

    def test_an_agent_that_is_three_times_slower_than_its_baseline_is_degraded(self):
        for latency, status in ((300, "healthy"), (301, "degraded")):
            health = self.made(baseline_latency_ms=100)
            self.record(98, 0, health, latency_ms=50)
            self.record(2, 0, health, latency_ms=latency)
            found = health.document()
            self.assertEqual((found["health"]["status"], found["calibration"]["latency_p50_ms"]), (status, 50))
            self.assertEqual(found["calibration"]["latency_p99_ms"], 300)

    def test_what_did_not_start_is_no_execution(self):
        self.record(10, 0)
        self.health.record({"result": "trigger_failure"})
        self.assertEqual(self.health.document()["calibration"]["sample_count"], 10)

    def test_is_computed_at_most_once_a_minute(self):
        self.assertEqual(self.health.document()["health"]["status"], "unknown")
        self.record(10, 0)
        self.assertEqual(self.later(59)["health"]["status"], "unknown")
        self.assertEqual(self.later(1)["health"]["status"], "healthy")
        self.assertEqual(self.later(-3600)["timestamp"], "2026-02-08T09:01:00.000Z")

    def test_the_last_healthy_moment_is_known_also_without_a_request(self):
        self.record(10, 0)
        self.now += 3_000
        self.record(0, 30)
        found = self.health.document()
        self.assertEqual((found["health"]["status"], found["health"]["last_healthy_at"]), ("unhealthy", "2026-02-08T10:50:00.000Z"))

    def test_outcomes_leave_the_window_and_the_trend_compares_it_with_the_one_before(self):
        health = self.made(window_seconds=300)
        self.record(10, 0, health)
        self.now += 310
        self.record(8, 2, health)
        found = health.document()
        self.assertEqual((found["calibration"]["sample_count"], found["decay"]["calibration_trend"]), (10, "declining"))
        self.assertEqual(self.later(400, health)["calibration"]["sample_count"], 0)

    def test_a_personal_agent_shows_its_status_only(self):
        health = self.made(personal=True)
        self.record(6, 4, health)
        self.assertEqual(health.document()["health"], {"status": "healthy"})
        self.assertNotIn("calibration", health.document())

    def test_the_change_of_the_model_is_counted_in_days(self):
        changed = datetime.datetime.fromtimestamp(START - 3 * 86_400, datetime.timezone.utc)
        self.assertEqual(self.made(model_changed_at=changed).document()["decay"]["days_since_model_change"], 3)

    def test_any_series_of_outcomes_gives_a_valid_document(self):
        schema, chance = json.loads(SCHEMA.read_text(encoding="utf-8")), random.Random(5)
        health = self.made(baseline_latency_ms=10, window_seconds=600)
        for _ in range(60):
            self.record(chance.randrange(9), chance.randrange(3), health, latency_ms=chance.choice((None, 0, 0.004, 9.96, 12345.6, 2.5e9)))
            self.assertEqual(list(mistakes(self.later(chance.randrange(60, 500), health), schema)), [])

    def test_settings_that_make_no_sense_are_refused(self):
        for settings in ({"baseline_latency_ms": 0}, {"window_seconds": 299}, {"window_seconds": 604_801}):
            with self.assertRaises(ValueError):
                self.made(**settings)
        with self.assertRaises(ValueError):
            OwnHealth(" ")

    def test_an_agent_measures_its_work_and_a_listener_that_fails_costs_nothing(self):
        health = self.made()
        fixture = Fixture(on_outcome=health.record)
        for _ in range(10):
            with fixture.agent.running():
                pass
        self.assertEqual(health.document()["calibration"]["sample_count"], 10)
        failing = Fixture(on_outcome=lambda outcome: 1 / 0)
        with self.assertLogs("agent_health", "ERROR"):
            failing.agent.record("success")
        self.assertEqual(len(failing.agent._outcomes), 1)

    # What serves it

    def check_answers(self, ask):
        """``ask(method, path, tag)`` returns status, headers in lower case, and body."""
        status, headers, body = ask("GET", PATH, "")
        self.assertEqual((status, headers["cache-control"], headers["content-type"]), (200, "public, max-age=60", "application/json"))
        self.assertEqual(json.loads(body), self.health.document())
        for tag in (headers["etag"], headers["etag"][2:], '"x", ' + headers["etag"], "*"):
            self.assertEqual(ask("GET", PATH, tag)[::2], (304, b""))
        self.now += 120
        self.assertEqual(ask("GET", PATH, headers["etag"])[0], 304, "it changed with time only")
        status, headers, body = ask("HEAD", PATH, "")
        self.assertEqual((status, body, int(headers["content-length"]) > 100), (200, b"", True))
        status, headers, _ = ask("POST", PATH, "")
        self.assertEqual((status, headers["allow"]), (405, "GET, HEAD"))
        self.assertEqual(ask("GET", PATH + "/more", "")[0], 404)

    def test_the_servers_of_the_standard_library(self):
        server = self.health.serve(0)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)

        def ask(method, path, tag):
            url = "http://127.0.0.1:{}{}".format(server.server_port, path)
            request = urllib.request.Request(url, headers={"If-None-Match": tag} if tag else {}, method=method)
            try:
                answer = urllib.request.urlopen(request, timeout=10)
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()

        self.check_answers(ask)

    def test_wsgi(self):
        def other(environ, start_response):
            start_response("404 Not Found", [])
            return [b""]

        def ask(method, path, tag):
            begun = []
            environ = {"REQUEST_METHOD": method, "PATH_INFO": path, **({"HTTP_IF_NONE_MATCH": tag} if tag else {})}
            body = b"".join(self.health.wsgi(other)(environ, lambda *sent: begun.append(sent)))
            return int(begun[0][0].split()[0]), {name.lower(): value for name, value in begun[0][1]}, body

        self.check_answers(ask)

    def test_asgi(self):
        async def other(scope, receive, send):
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        def ask(method, path, tag):
            sent = []

            async def send(message):
                sent.append(message)

            scope = {"type": "http", "method": method, "path": path, "headers": [(b"if-none-match", tag.encode())] if tag else []}
            asyncio.run(self.health.asgi(other)(scope, None, send))
            return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}, sent[1]["body"]

        self.check_answers(ask)


if __name__ == "__main__":
    unittest.main()
