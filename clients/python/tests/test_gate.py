"""The decision whether to call an agent, by documents that may be wrong or hostile, over HTTP."""

import http.server
import json
import threading
import time
import unittest

from agent_health import Action, HealthGate, OwnHealth
from agent_health.gate import PATH, decided
from tests.fakes import START, FakeRuntime

JSON = "application/json"


def document(status="healthy", calibration=None, decay=None, **health):
    return {
        "schema_version": "0.1.0",
        "agent_id": "https://agent.test",
        "health": {"status": status, **health},
        "calibration": calibration or {},
        "decay": decay or {},
    }


class ServedAgent:
    """An agent whose answers a test says."""

    def __init__(self):
        self.answers, self.requests = {}, []
        served = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                served.requests.append((self.path, dict(self.headers)))
                answer = served.answers.get(self.path, (404, {}, b""))
                status, headers, body = answer(self) if callable(answer) else answer
                if status is None:
                    return
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=lambda: self.server.serve_forever(0.05), daemon=True).start()
        self.url = "http://127.0.0.1:{}".format(self.server.server_port)

    def serves(self, content, status=200, path=PATH, **headers):
        named = {"Content-Type": JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.answers[path] = (status, named, content if isinstance(content, bytes) else json.dumps(content).encode())

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class RuleTest(unittest.TestCase):
    def decide(self, found, before="unknown", ratio=0.95):
        return decided(found, before, START, ratio)

    def test_each_status_has_its_decision(self):
        for status, action in (("healthy", "proceed"), ("degraded", "proceed_with_caution"), ("unhealthy", "avoid"), ("unknown", "default")):
            with self.subTest(status):
                decision = self.decide(document(status))
                self.assertEqual((decision.action.value, decision.status, decision.may_call), (action, status, status != "unhealthy"))
        self.assertIn("no proof of trust", self.decide(document()).explanation)
        self.assertEqual(self.decide(document("unhealthy")).until, START)

    def test_reasons(self):
        for found, before, reasons in (
            (document("degraded", uptime_seconds=599), "unknown", ("degraded", "possible_crash_loop")),
            (document("degraded", uptime_seconds=600), "healthy", ("degraded", "no_longer_healthy")),
            (document(decay={"calibration_trend": "declining"}), "unknown", ("declining",)),
            (document(decay={"calibration_trend": "declining", "days_since_model_change": 7}), "unknown", ("declining_after_model_change",)),
            (document(decay={"calibration_trend": "declining", "days_since_model_change": 8}), "unknown", ("declining",)),
            (document(calibration={"response_ratio": 0.949, "sample_count": 10}), "unknown", ("low_response_ratio",)),
            (document(calibration={"response_ratio": 0.1, "sample_count": 9}), "unknown", ("low_confidence",)),
            (document(calibration={"response_ratio": "0.1", "sample_count": True}), "unknown", ()),
            (document(calibration={"response_ratio": 1.1, "latency_p99_ms": -1}), "unknown", ()),
        ):
            with self.subTest(reasons):
                self.assertEqual(self.decide(found, before).reasons, reasons)

    def test_a_healthy_agent_against_its_own_figures_is_called_with_caution(self):
        found = document(calibration={"response_ratio": 0.9, "latency_p99_ms": 2500})
        self.assertEqual(self.decide(found).action, Action.PROCEED_WITH_CAUTION)
        self.assertEqual(self.decide(found, ratio=0.9).action, Action.PROCEED)

    def test_the_time_out_is_the_99th_percentile_within_1_and_30_seconds(self):
        for p99, seconds in ((2500, 2.5), (3, 1.0), (90_000, 30.0), (None, 10.0)):
            decision = self.decide(document("degraded", {"latency_p99_ms": p99}))
            self.assertEqual((decision.request_timeout, decision.connect_timeout), (seconds, 2.0))


class GateTest(unittest.TestCase):
    def setUp(self):
        self.agent = ServedAgent()
        self.addCleanup(self.agent.close)
        self.time = FakeRuntime()
        self.gate = HealthGate(runtime=self.time, timeout=2.0)

    def decide(self, where=""):
        return self.gate.decide(self.agent.url + where)

    def test_the_document_is_at_the_origin_of_any_url_of_the_agent(self):
        self.agent.serves(document())
        for where in ("", "/", "/a2a", "/a2a?x=1#top", PATH):
            self.assertEqual(self.decide(where).action, Action.PROCEED)
        self.assertEqual([path for path, _ in self.agent.requests], [PATH])
        self.agent.serves(document("degraded"), path="/agents/b" + PATH + "?x=1")
        self.assertEqual(self.decide("/agents/b" + PATH + "?x=1").status, "degraded")
        self.assertNotIn("X-API-Key", self.agent.requests[0][1])

    def test_a_document_is_read_at_most_every_5_minutes_and_less_often_where_its_headers_say_so(self):
        for headers, seconds in (
            ({}, 300),
            ({"Cache_Control": "public, max-age=60"}, 300),
            ({"Cache_Control": "max-age=1000", "Age": "100"}, 900),
            ({"Cache_Control": "max-age=1000000"}, 3600),
            ({"Cache_Control": "no-cache, max-age=1000"}, 300),
            ({"Date": "Mon, 09 Feb 2026 10:00:00 GMT", "Expires": "Mon, 09 Feb 2026 10:20:00 GMT"}, 1200),
        ):
            with self.subTest(headers):
                gate = HealthGate(runtime=self.time)
                self.agent.serves(document("unhealthy"), **headers)
                seen = len(self.agent.requests)
                until = gate.decide(self.agent.url).until
                self.assertEqual((until - self.time.now()).total_seconds(), seconds)
                self.time.advance(seconds - 1)
                gate.decide(self.agent.url)
                self.assertEqual(len(self.agent.requests), seen + 1)
                self.time.advance(1)
                gate.decide(self.agent.url)
                self.assertEqual(len(self.agent.requests), seen + 2)

    def test_an_unchanged_document_is_not_sent_again(self):
        self.agent.serves(document(), ETag='W/"a"', Cache_Control="max-age=400")
        self.decide()
        self.agent.answers[PATH] = (304, {}, b"")
        self.time.advance(400)
        self.assertEqual(self.decide().action, Action.PROCEED)
        self.assertEqual(self.agent.requests[1][1]["If-None-Match"], 'W/"a"')
        # Its lifetime is that of before.
        self.time.advance(399)
        self.decide()
        self.assertEqual(len(self.agent.requests), 2)

    def test_a_failed_request_is_unknown_is_not_held_against_the_agent_and_not_repeated_at_once(self):
        self.agent.serves(document())
        self.decide()
        self.agent.serves(b"", status=503, Retry_After="1000")
        self.time.advance(300)
        decision = self.decide()
        self.assertEqual((decision.action, decision.status, decision.may_call), (Action.DEFAULT, "unknown", True))
        self.time.advance(999)
        self.decide()
        self.assertEqual(len(self.agent.requests), 2)
        self.assertEqual(HealthGate().decide("http://127.0.0.1:1").action, Action.DEFAULT)

    def test_calls_at_the_same_time_share_one_request(self):
        def slow(handler):
            time.sleep(0.3)
            return 200, {"Content-Type": JSON}, json.dumps(document()).encode()

        self.agent.answers[PATH] = slow
        decisions = []
        threads = [threading.Thread(target=lambda: decisions.append(self.decide().action)) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((decisions, len(self.agent.requests)), ([Action.PROCEED] * 5, 1))

    def test_no_more_documents_than_allowed_are_remembered(self):
        gate = HealthGate(runtime=self.time, max_documents=2)
        for where in ("/a", "/b", "/c", "/a"):
            self.agent.serves(document(), path=where + PATH)
            gate.decide(self.agent.url + where + PATH)
        self.assertEqual(len(self.agent.requests), 4)

    def test_what_is_no_document_is_unknown(self):
        valid = json.dumps(document())
        for content in (b"", b"[]", b"\xff", b"{", b"[" * 60_000, b" " * 70_000 + valid.encode(), valid.replace("0.1.0", "0.2.0").encode(),
                        valid.replace('"healthy"', '"fine"').encode(), (valid[:-1] + ',"agent_id":"b"}').encode(), valid.replace('"healthy"', '"healthy","a":NaN').encode()):
            with self.subTest(content[:40]):
                self.agent.serves(content)
                self.assertEqual(HealthGate().decide(self.agent.url).action, Action.DEFAULT)
        self.agent.serves(b"\xef\xbb\xbf\xef\xbb\xbf" + valid.encode())
        self.assertEqual(HealthGate().decide(self.agent.url).action, Action.DEFAULT)
        self.agent.serves(b"\xef\xbb\xbf" + valid.encode())
        self.assertNotEqual(HealthGate().decide(self.agent.url).action, Action.DEFAULT, "a byte order mark is no part of the document")
        self.agent.serves(document(), Content_Type="text/html")
        self.assertEqual(HealthGate().decide(self.agent.url).explanation, "health unknown: the answer is no JSON")

    def test_a_server_that_sends_a_byte_now_and_then_is_unknown_in_time(self):
        def slow(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            try:
                for _ in range(40):
                    handler.wfile.write(b"x")
                    handler.wfile.flush()
                    time.sleep(0.05)
            except OSError:
                pass  # The client has given up.
            return None, {}, b""

        self.agent.answers[PATH] = slow
        began = time.monotonic()
        self.assertEqual(HealthGate(timeout=0.3).decide(self.agent.url).explanation, "health unknown: no answer in time")
        self.assertLess(time.monotonic() - began, 1.5)

    def test_redirects_stay_on_the_host(self):
        other = ServedAgent()
        self.addCleanup(other.close)
        other.serves(document())
        self.agent.serves(document(), path="/moved")
        for location, action in (
            ("/moved", Action.PROCEED),
            (self.agent.url + "/moved", Action.PROCEED),
            (other.url + PATH, Action.DEFAULT),
            ("http://localhost/", Action.DEFAULT),
            ("ftp://127.0.0.1/", Action.DEFAULT),
            ("http://u@" + self.agent.url[7:] + "/moved", Action.DEFAULT),
            (PATH, Action.DEFAULT),
        ):
            with self.subTest(location):
                self.agent.answers[PATH] = (302, {"Location": location}, b"")
                self.assertEqual(HealthGate().decide(self.agent.url).action, action)
        self.assertEqual(other.requests, [])

    def test_a_url_that_is_not_usable_is_unknown_and_settings_without_sense_are_refused(self):
        for url in ("", "agent", "ftp://a", "http://", "http://u:p@a", "http://a:99999", "http://a/" + "x" * 3000, "http://[::1"):
            self.assertEqual(self.gate.decide(url).explanation, "health unknown: the URL is not usable", url)
        for settings in ({"timeout": 0}, {"max_documents": 0}, {"min_response_ratio": 2}):
            with self.assertRaises(ValueError):
                HealthGate(**settings)

    def test_reads_what_an_agent_measures_of_itself(self):
        health = OwnHealth("https://agent.test")
        server = health.serve(0)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        for number in range(20):
            health.record({"result": "failure" if number < 2 else "success", "latency_ms": 100})
        decision = self.gate.decide("http://127.0.0.1:{}/a2a".format(server.server_port))
        self.assertEqual((decision.action, decision.request_timeout), (Action.PROCEED_WITH_CAUTION, 1.0))


if __name__ == "__main__":
    unittest.main()
