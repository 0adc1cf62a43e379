"""Uses the client that OpenAPI Generator makes in Python."""

import datetime
import json
import os
import sys

from generated import ApiClient, ApiException, Configuration
from generated.api.agents_api import AgentsApi
from generated.api.heartbeats_api import HeartbeatsApi
from generated.models import AgentRegistration, Heartbeat, Outcome, OutcomeBatch

client = ApiClient(Configuration(host=os.environ["AGENT_HEALTH_URL"], api_key={"ApiKey": os.environ["AGENT_HEALTH_KEY"]}))
agents, heartbeats = AgentsApi(client), HeartbeatsApi(client)
name = sys.argv[1]

agent = agents.register_agent(AgentRegistration(agent_id=name, replace=True, capabilities=["billing"]))
print("registered", agent.incarnation)
now = datetime.datetime.now(datetime.timezone.utc).isoformat()
answer = heartbeats.send_heartbeat(name, Heartbeat(status="active", client_timestamp=now))
print("heartbeat", str(answer.acknowledged).lower(), answer.agent_status.value)
batch = OutcomeBatch(batch_id="first", outcomes=[Outcome(result="success", latency_ms=412.5)])
print("outcomes", heartbeats.report_outcomes(name, batch).accepted)
print("listed", str(any(row.agent_id == name for row in agents.list_agents(capabilities=["billing"]).agents)).lower())
try:
    agents.get_agent("missing")
except ApiException as error:
    print("error", error.status, str(json.loads(error.body)["error"] == "agent_not_found").lower())
