"""The package itself: its syntax, its imports, its threads."""

import ast
import os
import pathlib
import subprocess
import sys
import threading
import time
import unittest

import agent_health
from agent_health import RegistryUnavailable
from agent_health._runtime import SystemRuntime
from agent_health.transport import Request

FOLDER = pathlib.Path(agent_health.__file__).parent


class PackageTest(unittest.TestCase):
    def test_every_file_is_python_3_9(self):
        files = sorted(FOLDER.glob("*.py"))
        self.assertGreater(len(files), 8)
        for file in files:
            with self.subTest(file.name):
                ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))

    @unittest.skipIf(sys.version_info < (3, 10), "sys.stdlib_module_names is there from 3.10 on")
    def test_needs_the_standard_library_only(self):
        for file in FOLDER.glob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            # Hooks for a framework import it where they are asked for.
            for node in tree.body if file.name == "frameworks.py" else ast.walk(tree):
                names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module]
                for name in names:
                    self.assertIn(name.split(".")[0], sys.stdlib_module_names, file.name)

    def test_is_marked_as_typed(self):
        self.assertTrue((FOLDER / "py.typed").exists())
        self.assertEqual(sorted(agent_health.__all__), agent_health.__all__)


class SystemRuntimeTest(unittest.TestCase):
    def test_a_worker_is_woken_and_ends(self):
        runtime, ran, ended = SystemRuntime(), threading.Event(), threading.Event()

        def step():
            if ran.is_set():
                ended.set()
                return None
            ran.set()
            return 3600.0

        worker = runtime.repeat("test", step)
        self.assertTrue(ran.wait(10))
        worker.wake()
        self.assertTrue(ended.wait(10))

    def test_waits_for_a_change(self):
        runtime, flags = SystemRuntime(), []

        def change():
            flags.append(True)
            runtime.changed()

        runtime.run("test", change)
        self.assertTrue(runtime.wait(lambda: bool(flags), 10))
        self.assertFalse(runtime.wait(lambda: False, 0.01))

    def test_monotonic_time_passes(self):
        runtime = SystemRuntime()
        self.assertLessEqual(runtime.monotonic(), runtime.monotonic())
        self.assertAlmostEqual(runtime.now().timestamp(), time.time(), delta=60)


class HttpTransportTest(unittest.TestCase):
    def test_a_refused_connection_stored_nothing(self):
        with self.assertRaises(RegistryUnavailable) as raised:
            agent_health.HttpTransport().send(Request("GET", "http://127.0.0.1:1/", {}, None, 5.0))
        self.assertFalse(raised.exception.maybe_stored)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_process_with_a_silent_registry_ends_when_its_work_ends(self):
        code = (
            "from agent_health import Agent\n"
            "with Agent('http://127.0.0.1:1', 'ahk_x', 'a') as agent:\n"
            "    print('worked')\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "worked"), done.stderr)


if __name__ == "__main__":
    unittest.main()
