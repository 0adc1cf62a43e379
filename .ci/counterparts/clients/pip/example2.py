"""Uses the client that openapi-python-client makes."""

import datetime
import os
import sys

from agent_health_client import AuthenticatedClient
from agent_health_client.api.agents import get_agent, list_agents, register_agent
from agent_health_client.api.heartbeats import report_outcomes, send_heartbeat
from agent_health_client.models import AgentRegistration, Heartbeat, HeartbeatStatus, Outcome, OutcomeBatch, OutcomeResult

client = AuthenticatedClient(
    os.environ["AGENT_HEALTH_URL"], token=os.environ["AGENT_HEALTH_KEY"], prefix="", auth_header_name="X-API-Key"
)
name = sys.argv[1]

agent = register_agent.sync(client=client, body=AgentRegistration(agent_id=name, replace=True, capabilities=["billing"]))
print("registered", agent.incarnation)
now = datetime.datetime.now(datetime.timezone.utc).isoformat()
answer = send_heartbeat.sync(name, client=client, body=Heartbeat(status=HeartbeatStatus.ACTIVE, client_timestamp=now))
print("heartbeat", str(answer.acknowledged).lower(), answer.agent_status)
batch = OutcomeBatch(batch_id="first", outcomes=[Outcome(result=OutcomeResult.SUCCESS, latency_ms=412.5)])
print("outcomes", report_outcomes.sync(name, client=client, body=batch).accepted)
print("listed", str(any(row.agent_id == name for row in list_agents.sync(client=client, capabilities=["billing"]).agents)).lower())
missing = get_agent.sync_detailed("missing", client=client)
print("error", int(missing.status_code), str(missing.parsed.error == "agent_not_found").lower())
