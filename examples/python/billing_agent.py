"""An agent that pays invoices: it works, fails, drains and comes back.

Needs a running system and an agent's key: AGENT_HEALTH_URL (http://localhost:8080) and AGENT_HEALTH_KEY.
"""

import os
import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python"))

from agent_health import Agent, Drain  # noqa: E402  (the client of this repository, where none is installed)

URL = os.environ.get("AGENT_HEALTH_URL", "http://localhost:8080")
KEY = os.environ.get("AGENT_HEALTH_KEY", "")
AGENT_ID = "python_billing_agent"

INVOICES = list(range(1, 13))
BROKEN = (4, 9)
DRAINED_AFTER = 6


class PaymentTimeout(Exception):
    """The bank did not answer."""


def new_agent() -> Agent:
    return Agent(
        URL,
        KEY,
        AGENT_ID,
        role_id="billing-processor",
        capabilities=["billing"],
        max_concurrent_tasks=1,
        profile={"heartbeat_config": {"interval_seconds": 1, "unhealthy_after_seconds": 3, "dead_after_seconds": 10}},
        on_drain=lambda drain: say_drain(drain),
        drain_on_sigterm=True,
    )


def say_drain(drain: Drain) -> None:
    print("asked to drain: " + drain.reason, flush=True)


def work(agent: Agent, invoices: "list[int]") -> None:
    """Pays invoices, each under a lease, until there are none or the agent is to take no more work."""

    @agent.task
    def pay(invoice: int) -> None:
        with agent.lease("invoice_{}".format(invoice), "pay", seconds=30, wait=5) as lease:
            time.sleep(0.2)
            if invoice in BROKEN:
                raise PaymentTimeout()
            lease.check()
            print("paid invoice {}, fencing token {}".format(invoice, lease.fencing_token), flush=True)

    while invoices and agent.accepts_work:
        invoice = invoices.pop(0)
        try:
            pay(invoice)
        except PaymentTimeout:
            print("failed invoice {}: time-out".format(invoice), flush=True)
        if invoice == DRAINED_AFTER:
            # What a coordinator does before it replaces a process.
            agent.client.request_drain(AGENT_ID, reason="new version")
            agent.wait(30)


def main() -> None:
    if not KEY:
        sys.exit("AGENT_HEALTH_KEY is not set: see examples/python/README.md")
    invoices = list(INVOICES)
    with new_agent() as agent:
        work(agent, invoices)
        print("drained, {} invoices are left".format(len(invoices)), flush=True)
    with new_agent() as agent:
        print("back again", flush=True)
        work(agent, invoices)
        while agent.client.score(AGENT_ID)["executions"] < len(INVOICES):
            time.sleep(0.5)
        score = agent.client.score(AGENT_ID)
        print("executions {executions}, time-outs {errors[timeout]}, score {score}".format(**score), flush=True)
    for event in agent.client.events(AGENT_ID):
        if event["type"] == "agent.lifecycle":
            print("{} -> {} ({})".format(event["previous_status"], event["new_status"], event["reason"]), flush=True)


if __name__ == "__main__":
    main()
