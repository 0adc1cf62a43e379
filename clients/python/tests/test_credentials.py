"""A token that the platform replaces in a file."""

import os
import pathlib
import tempfile
import unittest
from unittest import mock

from agent_health import Client, Response, TokenFile, Unauthenticated, key_from_environment
from tests.fakes import URL, FakeRuntime, problem, response
from tests.test_client import Answers


class TokenFileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "token"
        self.file.write_text("first.token.x\n")
        self.runtime = FakeRuntime()

    def client(self, *answers):
        self.transport = Answers(*answers)
        token = TokenFile(self.file, monotonic=self.runtime.monotonic)
        return Client(URL, token, transport=self.transport, runtime=self.runtime)

    def replace(self, token):
        """As the kubelet and other platforms do: the name stands for another file at once."""
        (self.folder / "next").write_text(token)
        os.replace(self.folder / "next", self.file)

    def sent(self):
        return [request.headers["Authorization"].split(" ")[1] for request in self.transport.requests]

    def test_a_token_goes_into_the_bearer_header_alone(self):
        self.client(response(200, {})).agent("a")
        self.assertEqual(self.transport.requests[0].headers["Authorization"], "Bearer first.token.x")
        self.assertNotIn("X-API-Key", self.transport.requests[0].headers)

    def test_a_byte_order_mark_before_a_token_or_an_answer_is_no_part_of_it(self):
        self.replace("\ufefffirst.token.x\n")
        answer = Response(200, {}, b'\xef\xbb\xbf{"agent_id": "a"}')
        self.assertEqual(self.client(answer).agent("a"), {"agent_id": "a"})
        self.assertEqual(self.sent(), ["first.token.x"])

    def test_a_replaced_file_is_read_a_second_later_at_the_latest(self):
        client = self.client(*[response(200, {})] * 3)
        client.agent("a")
        self.replace("other.token.x")
        client.agent("a")
        self.runtime.advance(1)
        client.agent("a")
        self.assertEqual(self.sent(), ["first.token.x", "first.token.x", "other.token.x"])

    def test_a_refused_token_is_read_again_and_sent_once_more_where_it_is_another(self):
        client = self.client(problem(401, "invalid_token"), response(200, {"agent_id": "a"}))
        self.replace("other.token.x")
        self.assertEqual(client.agent("a"), {"agent_id": "a"})
        self.assertEqual(self.sent(), ["first.token.x", "other.token.x"])

    def test_a_refused_token_that_is_still_the_same_is_not_sent_again(self):
        client = self.client(*[problem(401, "invalid_token")] * 3)
        with self.assertRaises(Unauthenticated):
            client.agent("a")
        self.assertEqual(len(self.sent()), 1)
        self.replace("other.token.x")
        with self.assertRaises(Unauthenticated):
            client.agent("a")
        self.assertEqual(len(self.sent()), 3)

    def test_a_file_that_is_away_for_a_moment_leaves_the_last_token_in_use(self):
        client = self.client(response(200, {}), problem(401, "invalid_token"), response(200, {}))
        self.file.unlink()
        self.runtime.advance(5)
        client.agent("a")
        with self.assertRaises(Unauthenticated) as raised:
            client.agent("a")
        self.assertIn("cannot be read", str(raised.exception.__cause__))
        self.file.write_text("other.token.x")
        self.runtime.advance(1)
        client.agent("a")
        self.assertEqual(self.sent(), ["first.token.x", "first.token.x", "other.token.x"])

    def test_a_file_without_a_token_is_refused_at_the_start_and_not_printed(self):
        for content, reason in (
            ("", "is empty"),
            ("  \n", "is empty"),
            ("a" * 8193, "is larger than 8 KB"),
            ("secret\ntoken", "other than visible ASCII"),
            ("secré", "other than visible ASCII"),
        ):
            with self.subTest(reason):
                self.file.write_text(content, encoding="utf-8")
                with self.assertRaises(ValueError) as raised:
                    TokenFile(self.file)
                self.assertIn(reason, str(raised.exception))
                self.assertNotIn("secr", str(raised.exception))

    def test_the_token_is_in_no_text(self):
        self.assertNotIn("first", repr(TokenFile(self.file)))

    def test_the_environment_names_a_key_or_a_file(self):
        with mock.patch.dict(os.environ, {"AGENT_HEALTH_TOKEN_FILE": str(self.file)}):
            self.assertEqual(key_from_environment()(), "first.token.x")
            with mock.patch.dict(os.environ, {"AGENT_HEALTH_KEY": "ahk_test"}):
                self.assertEqual(key_from_environment(), "ahk_test")
            self.file.unlink()
            with self.assertRaisesRegex(ValueError, "cannot be read"):
                key_from_environment()
        with mock.patch.dict(os.environ, {"AGENT_HEALTH_TOKEN_FILE": "", "AGENT_HEALTH_KEY": ""}):
            with self.assertRaisesRegex(ValueError, "AGENT_HEALTH_TOKEN_FILE"):
                key_from_environment()


if __name__ == "__main__":
    unittest.main()
