"""Writes 1,000 random schedules with their next runs, as cronsim 2.8 computes them (pip install cronsim==2.8), for CronExpressionTest.

Left out: ranges of one value with a step, which cronsim reads as open, and zones that change by half an hour, where it skips runs.
Each line: expression, time zone, start and the five runs after it in seconds since 1970, separated by tabs.
"""

import random
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from cronsim import CronSim

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "America/Santiago", "Africa/Cairo", "Pacific/Apia"]
# Fields with their smallest and largest value; A step of 7 is refused in a range of the last one.
BOUNDS = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
RUNS = 5
rng = random.Random(2026)


def item(low, high):
    kind = rng.random()
    if kind < 0.5:
        return str(rng.randint(low, high))
    begin = rng.randint(low, high - 1)
    end = rng.randint(begin + 1, high)
    step = f"/{rng.randint(1, high if high != 7 else 6)}" if kind > 0.8 else ""
    return f"{begin}-{end}{step}"


def field(low, high):
    kind = rng.random()
    if kind < 0.45:
        return "*"
    if kind < 0.55:
        return f"*/{rng.randint(1, high if high != 7 else 6)}"
    return ",".join(item(low, high) for _ in range(rng.choice([1, 1, 1, 2, 3])))


def start():
    month, day = rng.choice([(3, 28), (10, 24), (3, 7), (10, 31), (4, 3), (10, 2), (9, 4), (4, 23), (rng.randint(1, 12), rng.randint(1, 28))])
    return datetime(rng.randint(2024, 2027), month, day, rng.randint(0, 23), rng.randint(0, 59), rng.randint(0, 59), tzinfo=timezone.utc)


def runs(expression, zone, begin):
    found = []
    for run in CronSim(expression, begin.astimezone(ZoneInfo(zone))):
        moment = int(run.timestamp())
        if moment > begin.timestamp() and moment not in found:
            found.append(moment)
        if len(found) == RUNS:
            return found
    return found


lines = []
while len(lines) < 1000:
    expression, zone, begin = " ".join(field(*bounds) for bounds in BOUNDS), rng.choice(ZONES), start()
    try:
        found = runs(expression, zone, begin)
    except Exception:
        continue
    if len(found) == RUNS and len(expression) <= 64:
        lines.append("\t".join([expression, zone, str(int(begin.timestamp())), *map(str, found)]))
print("\n".join(lines))
