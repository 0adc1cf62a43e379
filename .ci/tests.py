"""Tests of a module against an endpoint, with what was skipped and why."""

import os
import subprocess
import sys
import time
from xml.etree import ElementTree

import emulator
from translation import ROOT


def run(classes, environment, module="local"):
    """Runs test classes of a module (names as Maven takes them) on what is already built, and ends the process when one fails."""
    begun = time.time()
    result = subprocess.run(
        [
            "mvn", "-B", "-ntp", "-q", "test", "-pl", module, "-am",
            f"-Dtest={classes}", "-Dsurefire.failIfNoSpecifiedTests=false", "-Dmaven.compiler.useIncrementalCompilation=false",
        ],
        cwd=ROOT,
        env={**os.environ, **emulator.ENVIRONMENT, **environment},
        check=False,
    )  # fmt: skip
    count = report(ROOT / module / "target/surefire-reports", begun)
    if result.returncode:
        sys.exit(f"{classes}: failed")
    if not count:
        sys.exit(f"{classes}: nothing was run")


def report(reports, begun):
    """Prints what was run since and what was skipped; the number of tests that were run and not skipped."""
    total = 0
    for file in sorted(reports.glob("TEST-*.xml")):
        if file.stat().st_mtime < begun:
            continue
        cases = ElementTree.parse(file).getroot().findall("testcase")
        skipped = [case for case in cases if case.find("skipped") is not None]
        total += len(cases) - len(skipped)
        print(f"{file.stem.removeprefix('TEST-')}: {len(cases) - len(skipped)} run, {len(skipped)} skipped", flush=True)
        reasons = {}
        for case in skipped:
            reasons.setdefault(reason(case.find("skipped")), []).append(case.get("name"))
        for why, cases in reasons.items():
            more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
            print(f"  skipped {cases[0]}{more}: {why}", flush=True)
    return total


def reason(skipped):
    """Why: a condition says it as a message, an assumption at the head of a stack trace."""
    text = skipped.get("message") or (skipped.text or "").removeprefix("org.opentest4j.TestAbortedException: ")
    return text.strip().split("\n")[0].split("Assumption failed: ")[-1].removeprefix("assumption was not met due to: ")
