"""Requests, retries and errors of the client."""

import json
import unittest

import agent_health
from agent_health import Client, RetryPolicy
from tests.fakes import KEY, URL, FakeRuntime, problem, response


class Answers:
    """Gives the answers in their order."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def send(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class ClientTest(unittest.TestCase):
    def client(self, *answers, **options):
        self.transport = Answers(*answers)
        self.runtime = FakeRuntime()
        return Client(URL + "/", KEY, transport=self.transport, runtime=self.runtime, **options)

    def test_finds_agents_page_by_page(self):
        client = self.client(response(200, {"agents": [{"agent_id": "a"}], "next_token": "t"}), response(200, {"agents": [{"agent_id": "b"}]}))
        found = client.find(capabilities=["code review", "b"], capabilities_match="all", kind="agent", verdict="ok", blocked=False, min_available_capacity=2)
        self.assertEqual([agent["agent_id"] for agent in found], ["a", "b"])
        self.assertEqual(
            [request.url for request in self.transport.requests],
            [URL + "/api/v1/agents?capabilities=code+review%2Cb&capabilities_match=all&kind=agent&min_available_capacity=2&verdict=ok&blocked=false" + token
             for token in ("", "&next_token=t")],
        )

    def test_trust_and_health_records_are_read_over_all_pages(self):
        for read, where, member in (
            (Client.trusted_agents, "/v1/trust/agents", "agent_id"),
            (Client.trusted_providers, "/v1/trust/providers", "provider_id"),
            (Client.health_records, "/v1/health/agents", "agent_id"),
            (Client.health_records_of_providers, "/v1/health/providers", "provider_id"),
        ):
            with self.subTest(where):
                client = self.client(response(200, {"items": [{member: "a"}], "next_token": "t"}), response(200, {"items": [{member: "b"}]}))
                self.assertEqual([record[member] for record in read(client)], ["a", "b"])
                self.assertEqual([request.url for request in self.transport.requests], [URL + where, URL + where + "?next_token=t"])

    def test_agents_and_providers_are_blocked_and_unblocked(self):
        client = self.client(*[response(200, {"blocked": True})] * 4)
        client.block("a", reason="under review", until="2099-03-01T00:00:00Z")
        client.unblock("a")
        client.block_provider("p")
        client.unblock_provider("p")
        self.assertEqual(
            [(sent.method, sent.url[len(URL):], sent.body) for sent in self.transport.requests],
            [("POST", "/v1/admin/agents/a/block", b'{"reason":"under review","until":"2099-03-01T00:00:00Z"}'),
             ("POST", "/v1/admin/agents/a/unblock", None),
             ("POST", "/v1/admin/providers/p/block", b"{}"),
             ("POST", "/v1/admin/providers/p/unblock", None)],
        )

    def test_stalled_agents_are_found(self):
        client = self.client(response(200, {"agents": [{"agent_id": "a"}]}))
        self.assertEqual([agent["agent_id"] for agent in client.find(stalled=True)], ["a"])
        self.assertEqual(self.transport.requests[0].url, URL + "/api/v1/agents?stalled=true")

    def test_agents_that_wait_for_a_person_are_found(self):
        client = self.client(response(200, {"agents": [{"agent_id": "a"}]}))
        self.assertEqual([agent["agent_id"] for agent in client.find(waiting=True)], ["a"])
        self.assertEqual(self.transport.requests[0].url, URL + "/api/v1/agents?waiting=true")

    def test_usage_is_read(self):
        client = self.client(response(200, {"by": "agent"}))
        self.assertEqual(client.usage("agent", agent_id="a b", from_="f", step="day"), {"by": "agent"})
        self.assertEqual(self.transport.requests[0].url, URL + "/api/v1/usage?by=agent&agent_id=a+b&from=f&step=day")

    def test_a_ping_address_is_issued_read_and_revoked(self):
        seen = {"agent_id": "a b", "last_message": "done"}
        client = self.client(response(201, {"ping_url": URL + "/p/t"}), response(200, seen), problem(404, "ping_url_not_found"), response(204, None))
        self.assertEqual(client.issue_ping_url("a b"), URL + "/p/t")
        self.assertEqual(client.ping_address("a b"), seen)
        self.assertIsNone(client.ping_address("a b"))
        client.revoke_ping_url("a b")
        self.assertEqual([request.method for request in self.transport.requests], ["POST", "GET", "GET", "DELETE"])
        self.assertEqual({request.url for request in self.transport.requests}, {URL + "/api/v1/agents/a%20b/ping-url"})
        with self.assertRaises(agent_health.NotFound):
            self.client(problem(404, "agent_not_found")).ping_address("a")

    def test_a_key_that_may_be_issued_is_not_requested_twice(self):
        with self.assertRaises(agent_health.RegistryUnavailable):
            self.client(agent_health.RegistryUnavailable("cut")).issue_key("agent", provider_ids=["p"])
        self.assertEqual(json.loads(self.transport.requests[0].body), {"role": "agent", "name": "", "provider_ids": ["p"]})

    def test_a_key_with_other_than_ascii_characters_is_a_clear_error(self):
        with self.assertRaisesRegex(ValueError, "visible ASCII"):
            Client(URL, "Schlüssel")
        with self.assertRaisesRegex(agent_health.AgentHealthError, "visible ASCII"):
            Client(URL, lambda: "ключ", transport=Answers(), runtime=FakeRuntime()).agent("a")

    def test_each_refusal_is_an_error_of_its_own(self):
        kinds = {
            (400, "invalid_request"): agent_health.InvalidRequest,
            (401, "unauthenticated"): agent_health.Unauthenticated,
            (403, "agent_quota_reached"): agent_health.Forbidden,
            (403, "agent_blocked"): agent_health.AgentBlocked,
            (404, "agent_not_found"): agent_health.NotFound,
            (409, "agent_exists"): agent_health.Conflict,
            (409, "agent_already_running"): agent_health.AgentAlreadyRunning,
            (409, "lease_held"): agent_health.LeaseHeld,
            (410, "agent_gone"): agent_health.AgentGone,
            (410, "superseded"): agent_health.Superseded,
            (412, "version_mismatch"): agent_health.PreconditionFailed,
            (422, "batch_id_reused"): agent_health.InvalidRequest,
            (428, "if_match_required"): agent_health.PreconditionFailed,
            (502, "agent_failed"): agent_health.ProblemError,
        }
        for (status, code), kind in kinds.items():
            with self.subTest(code), self.assertRaises(agent_health.ProblemError) as raised:
                self.client(problem(status, code)).agent("a")
            error = raised.exception
            self.assertIs(type(error), kind)
            self.assertEqual((error.status, error.code, error.title, error.detail), (status, code, "T", "d"))
            self.assertEqual(len(self.transport.requests), 1)

    def test_a_call_that_a_used_up_limit_refuses_names_the_limit_and_its_end(self):
        members = {"usage_limit": "tokens_per_day", "limit_scope": "role", "resets_at": "2026-02-09T00:00:00.000Z", "retry_after": 3600}
        with self.assertRaises(agent_health.AgentBlocked) as raised:
            self.client(problem(403, "agent_blocked", **members)).invoke("a", "hello")
        error = raised.exception
        self.assertEqual((error.usage_limit, error.limit_scope, error.resets_at), ("tokens_per_day", "role", "2026-02-09T00:00:00.000Z"))
        self.assertEqual((error.containment_rule, error.retry_after, len(self.transport.requests)), ("", 3600, 1))

    def test_what_passes_is_tried_again_with_growing_random_pauses(self):
        away = agent_health.RegistryUnavailable("away")
        client = self.client(away, problem(503, "temporarily_unavailable"), response(500, {"message": "x"}), response(200, {"x": 1}))
        self.assertEqual(client.agent("a"), {"x": 1})
        self.assertLessEqual(self.runtime.time, 1000 + 0.25 + 0.5 + 1)
        with self.assertRaises(agent_health.RegistryUnavailable):
            self.client(*[away] * 4).agent("a")
        self.assertEqual(self.transport.answers, [])

    def test_retry_after_is_waited_for_unless_it_is_too_long(self):
        client = self.client(problem(429, "rate_limited", retry_after=7), response(200, {}))
        client.agent("a")
        self.assertGreaterEqual(self.runtime.time, 1007)
        with self.assertRaises(agent_health.RateLimited) as raised:
            self.client(problem(429, "rate_limited", retry_after=31)).agent("a")
        self.assertEqual(raised.exception.retry_after, 31)

    def test_retry_after_may_be_a_date(self):
        dates = {"retry_after": "Sun, 08 Feb 2026 12:00:09 GMT", "date": "Sun, 08 Feb 2026 12:00:04 GMT"}
        client = self.client(response(503, None, **dates), response(200, {}))
        client.agent("a")
        self.assertTrue(1005 <= self.runtime.time <= 1005.25)

    def test_an_invocation_is_repeated_under_one_idempotency_key(self):
        client = self.client(agent_health.RegistryUnavailable("cut"), response(200, {"receipt_id": "r"}))
        self.assertEqual(client.invoke("a", "hello", timeout_ms=500), {"receipt_id": "r"})
        first, second = self.transport.requests
        self.assertEqual(first.headers["Idempotency-Key"], second.headers["Idempotency-Key"])
        self.assertEqual(json.loads(first.body), {"message": "hello", "timeout_ms": 500})

    def test_an_invocation_is_part_of_the_trace_of_its_caller(self):
        trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        client = self.client(response(200, {}), response(202, {}), response(200, {}))
        client.invoke("a", "hello", traceparent=trace)
        client.invoke_async("a", "hello", traceparent=trace)
        client.invoke("a", "hello")
        self.assertEqual([sent.headers.get("traceparent") for sent in self.transport.requests], [trace, trace, None])

    def test_a_failed_call_shows_its_receipt(self):
        with self.assertRaises(agent_health.ProblemError) as raised:
            self.client(problem(502, "agent_error", receipt_id="rcpt_1")).invoke("a", "hello")
        self.assertEqual(raised.exception.document["receipt_id"], "rcpt_1")

    def test_ids_are_escaped(self):
        self.client(response(200, {})).trust("a/../b c")
        self.assertEqual(self.transport.requests[0].url, URL + "/v1/trust/agents/a%2F..%2Fb%20c")

    def test_a_change_names_the_version(self):
        self.client(response(200, {})).update("a", 3, name="n")
        self.assertEqual(self.transport.requests[0].headers["If-Match"], '"3"')

    def test_pauses_are_full_jitter(self):
        policy = RetryPolicy(attempts=9, base_seconds=1, max_pause_seconds=8)
        runtime = FakeRuntime()
        for failures, limit in ((1, 1), (2, 2), (3, 4), (4, 8), (8, 8)):
            pauses = [policy.pause(failures, None, runtime.random) for _ in range(400)]
            self.assertTrue(0 <= min(pauses) < 0.1 * limit and 0.9 * limit < max(pauses) <= limit)
        self.assertIsNone(policy.pause(9, None, runtime.random))


if __name__ == "__main__":
    unittest.main()
