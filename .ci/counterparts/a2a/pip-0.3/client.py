"""Uses every operation that the gateway has, by the official client for A2A 0.3, with the card at the URL of the first argument."""

import asyncio
import os
import sys
import uuid
from urllib.parse import urlsplit

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, TaskIdParams, TaskQueryParams, TaskState, TextPart


def message(text):
    return Message(message_id=str(uuid.uuid4()), role=Role.user, parts=[Part(root=TextPart(text=text))])


async def main(url):
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
        waiting = [update async for update in client.send_message(message("wait"))][0][0]
        cancelled = await client.cancel_task(TaskIdParams(id=waiting.id))
        assert cancelled.status.state == TaskState.canceled, cancelled
        assert (await client.get_task(TaskQueryParams(id=task.id))).status.state == TaskState.completed
        extended = await client.get_card()
        assert extended.skills[0].id == "booking-first-class", extended
        print("streamed " + text)


asyncio.run(main(sys.argv[1]))
