"""An agent of the official A2A SDK for Python, on the port of the first argument, with a signed card. Where CHANGED is set, it has another skill."""

import json
import os
import secrets
import sys

import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from a2a.utils.signing import create_agent_card_signer
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


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
    skills=[AgentSkill(id=os.environ.get("CHANGED", "none"), name="none", description="Nothing.", tags=["none"])],
)
key, kid = ec.generate_private_key(ec.SECP256R1()), secrets.token_hex(4)
keys = {"keys": [{**json.loads(ECAlgorithm.to_jwk(key.public_key())), "kid": kid}]}
jku = f"http://127.0.0.1:{port}/.well-known/jwks.json"
card = create_agent_card_signer(key, {"alg": "ES256", "typ": "JOSE", "kid": kid, "jku": jku})(card)
handler = DefaultRequestHandler(agent_executor=Silent(), task_store=InMemoryTaskStore(), agent_card=card)
routes = [*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")]
routes.append(Route("/.well-known/jwks.json", lambda request: JSONResponse(keys)))
uvicorn.run(Starlette(routes=routes), host="127.0.0.1", port=port, log_level="warning")
