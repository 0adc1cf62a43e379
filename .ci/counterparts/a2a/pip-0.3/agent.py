"""An agent of the official SDK for A2A 0.3 that speaks HTTP+JSON alone, on the port of the first argument. "Hello" is answered in three parts, other tasks stay at work."""

import asyncio
import sys

import httpx
import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2ARESTFastAPIApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentSkill, Part, TextPart
from a2a.utils import new_task


class Working(AgentExecutor):
    async def execute(self, context, event_queue):
        task = context.current_task
        if not task:
            task = new_task(context.message)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        if context.message.parts[0].root.text == "Hello":
            await updater.add_artifact([Part(root=TextPart(text="Booked."))])
            await updater.complete()
            return
        # The SDK ends the streams of a task when this returns; it cancels it with the task. Streams of 0.3 do not begin with the task.
        while True:
            await asyncio.sleep(0.2)
            await updater.start_work()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def card(port, skill):
    return AgentCard(
        name="booking",
        description="Books journeys.",
        version="1",
        url=f"http://127.0.0.1:{port}/",
        preferred_transport="HTTP+JSON",
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id=skill, name=skill, description="Books a journey.", tags=["travel"])],
        supports_authenticated_extended_card=True,
    )


port = int(sys.argv[1])
configs = InMemoryPushNotificationConfigStore()
handler = DefaultRequestHandler(
    agent_executor=Working(), task_store=InMemoryTaskStore(), push_config_store=configs,
    push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
)  # fmt: skip
application = A2ARESTFastAPIApplication(agent_card=card(port, "booking"), http_handler=handler, extended_agent_card=card(port, "booking-first-class"))
uvicorn.run(application.build(), host="127.0.0.1", port=port, log_level="warning")
