"""The Python of the documents that needs no other package, as it stands there. The first block of each is run by test_system."""

import contextlib
import io
import os
import pathlib
import re
import unittest
import urllib.request
from unittest import mock

from agent_health.gate import PATH
from tests.fakes import Registry
from tests.test_gate import ServedAgent, document

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "clients.md").read_text(encoding="utf-8"), re.DOTALL)


FRAMEWORKS = ROOT / "docs" / "guides" / "frameworks" / "python.md"


class FrameworksTest(unittest.TestCase):
    def test_each_block_has_lines_of_the_example_that_its_section_links_to_and_that_is_run(self):
        sections = [one for one in FRAMEWORKS.read_text(encoding="utf-8").split("\n## ") if "```python" in one]
        examples = []
        for section in sections:
            (link,) = re.findall(r"\]\((\S+_agent\.py)\)", section)
            (block,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
            lines = iter((FRAMEWORKS.parent / link).read_text(encoding="utf-8").splitlines())
            for line in block.splitlines():
                self.assertIn(line, lines, link)
            examples.append((FRAMEWORKS.parent / link).resolve())
        self.assertEqual(sorted(examples), sorted((ROOT / "examples" / "python" / "frameworks").glob("*_agent.py")))


class SnippetTest(unittest.TestCase):
    def setUp(self):
        registry = Registry()
        self.addCleanup(registry.close)
        environment = mock.patch.dict(os.environ, {"AGENT_HEALTH_URL": registry.url, "AGENT_HEALTH_KEY": registry.key})
        environment.start()
        self.addCleanup(environment.stop)

    def run_block(self, words, *replaced):
        found = [block for block in BLOCKS if words in block]
        self.assertEqual(len(found), 1, words)
        code, printed, names = found[0], io.StringIO(), {}
        for before, after in replaced:
            self.assertIn(before, code)
            code = code.replace(before, after)
        with contextlib.redirect_stdout(printed):
            exec(compile(code, words, "exec"), names)
        return printed.getvalue(), names

    def test_the_decorator(self):
        self.assertEqual(self.run_block("class Billing")[0], "active\npaid invoice_42\n")

    def test_the_plain_calls(self):
        merged = {"request": "POST /api/v1/agents/billing_python_04/heartbeat", "merge": {"next_heartbeat_in_seconds": 30}}
        registry = Registry([merged])
        self.addCleanup(registry.close)
        with mock.patch.dict(os.environ, {"AGENT_HEALTH_URL": registry.url}):
            self.assertEqual(self.run_block("client.register(")[0], "next heartbeat in 30 s\n")

    def test_the_gate(self):
        agent = ServedAgent()
        self.addCleanup(agent.close)
        for status, printed in (("healthy", ""), ("unhealthy", "use another agent until "), ("degraded", "call with a time-out of 10.0 s: ('degraded',)\n")):
            agent.serves(document(status))
            self.assertIn(printed, self.run_block("gate.decide(", ("https://agent.example.com", agent.url))[0])

    def test_the_own_document(self):
        _, names = self.run_block("health.serve(", ("8090", "0"))
        self.addCleanup(names["server"].server_close)
        self.addCleanup(names["server"].shutdown)
        self.addCleanup(names["agent"].close)
        names["agent"].record("success", latency_ms=3)
        with urllib.request.urlopen("http://127.0.0.1:{}{}".format(names["server"].server_port, PATH), timeout=10) as answer:
            self.assertIn(b'"sample_count": 1', answer.read())


if __name__ == "__main__":
    unittest.main()
