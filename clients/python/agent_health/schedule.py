"""When an agent runs that does not run all the time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Optional, Union

__all__ = ["Schedule"]

_CRON_FIELDS = 5

# A time zone before the fields, as crontabs and Kubernetes have it.
_TIME_ZONE = re.compile(r"^(?:CRON_)?TZ=\S*\s+")


@dataclass(frozen=True)
class Schedule:
    """The runs of an agent that does not run all the time; a heartbeat is expected for each. One of ``cron`` and ``every_seconds`` is given.

    :param cron: an expression with five fields, such as ``"0 2 * * *"``, or a nickname, such as ``"@daily"``. The registry refuses one that names no time.
    :param time_zone: of the expression, such as ``"Europe/Berlin"``; UTC without it
    :param every_seconds: seconds from the last heartbeat to the next run
    :param grace_seconds: how late a run may be; 300 without it
    :raises ValueError: the schedule means nothing
    """

    cron: Optional[str] = None
    time_zone: Optional[str] = None
    every_seconds: Optional[int] = None
    grace_seconds: Optional[int] = None

    def __post_init__(self) -> None:
        if (self.cron is None) == (self.every_seconds is None):
            raise ValueError("a schedule has either cron or every_seconds")
        if self.cron is not None and not _is_cron(self.cron):
            raise ValueError("a cron expression has five fields, and not: " + self.cron)
        if self.cron is None and self.time_zone is not None:
            raise ValueError("time_zone belongs to cron")
        if self.every_seconds is not None and self.every_seconds < 1:
            raise ValueError("every_seconds is at least 1")
        if self.grace_seconds is not None and self.grace_seconds < 0:
            raise ValueError("grace_seconds is not negative")

    def declared(self) -> Dict[str, Union[str, int]]:
        """The value of ``heartbeat_config.schedule``."""
        fields: Dict[str, Union[str, int, None]] = {
            "cron": self.cron,
            "time_zone": self.time_zone,
            "every_seconds": self.every_seconds,
            "grace_seconds": self.grace_seconds,
        }
        return {name: value for name, value in fields.items() if value is not None}


def _is_cron(expression: str) -> bool:
    fields = _TIME_ZONE.sub("", expression.strip(), count=1)
    return fields.startswith("@") or len(fields.split()) == _CRON_FIELDS
