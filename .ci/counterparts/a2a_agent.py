"""An agent of the official A2A SDK for Python, on the port of the first argument."""

import sys

import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.applications import Starlette


class Silent(AgentExecutor):
    """Probes ask for the card alone."""

    async def execute(self, context, event_queue):
        raise NotImplementedError

    async def cancel(self, context, event_queue):
        raise NotImplementedError


port = int(sys.argv[1])
card = AgentCard(
    name="a2a-python",
    description="An agent that is watched.",
    version="1",
    supported_interfaces=[
        AgentInterface(url=f"http://127.0.0.1:{port}/", protocol_binding="JSONRPC", protocol_version="1.0")
    ],
    capabilities=AgentCapabilities(),
    default_input_modes=["text/plain"],
    default_output_modes=["text/plain"],
    skills=[AgentSkill(id="none", name="none", description="Nothing.", tags=["none"])],
)
handler = DefaultRequestHandler(agent_executor=Silent(), task_store=InMemoryTaskStore(), agent_card=card)
routes = [*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")]
uvicorn.run(Starlette(routes=routes), host="127.0.0.1", port=port, log_level="warning")
