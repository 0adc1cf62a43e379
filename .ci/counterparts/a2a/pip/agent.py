"""An agent of the official SDK for A2A 1.0, on the port of the first argument, with the binding of the second and the tenant of the third, if any, that notifies of its tasks. "Hello" is answered in three parts, "fail" fails, other tasks stay at work."""

import sys

import httpx
import uvicorn
from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part
from starlette.applications import Starlette

tenant = "".join(sys.argv[3:])
# The router answers calls by JSON-RPC at the path of HTTP+JSON with 307. The SDK expects a tenant before this path, and not behind it as the protocol says.
PATHS = {"JSONRPC": "/", "HTTP+JSON": "" if tenant else "/a2a"}


class Working(AgentExecutor):
    async def execute(self, context, event_queue):
        assert context.tenant == tenant, context.tenant
        task = context.current_task
        if not task:
            task = new_task_from_user_message(context.message)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        text = context.message.parts[0].text
        if text == "Hello":
            await updater.add_artifact([Part(text="Booked.")])
            await updater.complete()
        elif text == "fail":
            await updater.failed()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def card(port, binding, skill):
    return AgentCard(
        name="booking",
        description="Books journeys.",
        version="1",
        supported_interfaces=[AgentInterface(url=f"http://127.0.0.1:{port}{PATHS[binding]}", protocol_binding=binding, protocol_version="1.0", tenant=tenant)],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True, extended_agent_card=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id=skill, name=skill, description="Books a journey.", tags=["travel"])],
    )


port, binding = int(sys.argv[1]), sys.argv[2]
public = card(port, binding, "booking")
configs = InMemoryPushNotificationConfigStore()
handler = DefaultRequestHandler(
    agent_executor=Working(), task_store=InMemoryTaskStore(), agent_card=public, extended_agent_card=card(port, binding, "booking-first-class"),
    push_config_store=configs, push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
)  # fmt: skip
routes = [*create_agent_card_routes(public), *(create_jsonrpc_routes(handler, PATHS[binding]) if binding == "JSONRPC" else create_rest_routes(handler, path_prefix=PATHS[binding]))]
uvicorn.run(Starlette(routes=routes), host="127.0.0.1", port=port, log_level="warning")
