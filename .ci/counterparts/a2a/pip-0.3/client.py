"""Uses every operation that the gateway has, by the official client for A2A 0.3, with the card at the URL of the first argument; the second says
with which SDK and version of A2A the agent is made."""

import asyncio
import contextlib
import os
import sys
import uuid
from urllib.parse import urlsplit

import httpx
import receiver
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import (
    GetTaskPushNotificationConfigParams, Message, Part, PushNotificationConfig, Role, Task, TaskIdParams, TaskPushNotificationConfig, TaskQueryParams, TaskState, TextPart,
)  # fmt: skip


def message(text):
    return Message(message_id=str(uuid.uuid4()), role=Role.user, parts=[Part(root=TextPart(text=text))])


async def first(updates):
    """The first update of a task, which may go on."""
    async with contextlib.aclosing(updates):
        return await anext(updates)


async def main(url, sdk):
    headers = {"Authorization": "Bearer " + os.environ["AGENT_HEALTH_KEY"]}
    async with httpx.AsyncClient(headers=headers, timeout=30) as http:
        parts = urlsplit(url)
        card = await A2ACardResolver(http, f"{parts.scheme}://{parts.netloc}", f"{parts.path}?{parts.query}").get_agent_card()
        assert card.capabilities.streaming and card.skills[0].id == "booking", card
        client = ClientFactory(ClientConfig(streaming=True, httpx_client=http)).create(card)
        updates = [update async for update in client.send_message(message("Hello"))]
        task = updates[-1][0]
        text = task.artifacts[0].parts[0].root.text
        assert len(updates) == 4 and task.status.state == TaskState.completed and text == "Booked.", updates
        waiting = (await first(client.send_message(message("wait"))))[0]
        cancelled = await client.cancel_task(TaskIdParams(id=waiting.id))
        assert cancelled.status.state == TaskState.canceled, cancelled
        assert (await client.get_task(TaskQueryParams(id=task.id))).status.state == TaskState.completed
        extended = await client.get_card()
        assert extended.skills[0].id == "booking-first-class", extended
        url, received = receiver.start()
        task = (await first(client.send_message(message("wait"))))[0]
        config = PushNotificationConfig(url=url, token=receiver.TOKEN)
        kept = await client.set_task_callback(TaskPushNotificationConfig(task_id=task.id, push_notification_config=config))
        assert kept.push_notification_config.url == url and kept.push_notification_config.id == task.id, kept
        read = await client.get_task_callback(GetTaskPushNotificationConfigParams(id=task.id))
        assert read == kept, read
        await client.cancel_task(TaskIdParams(id=task.id))
        # The SDKs of 0.3 do not notify of a cancelling, after the stream has ended.
        while sdk.endswith("1.0") and (notified := Task.model_validate(await asyncio.to_thread(received.get, timeout=30))).status.state != TaskState.canceled:
            assert notified.id == task.id, notified
        print("streamed " + text)


asyncio.run(main(*sys.argv[1:]))
