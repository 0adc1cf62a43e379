"""Uses every operation that the gateway has, by the official client for A2A 1.0, with the card at the URL of the first argument and the binding of
the second; the third says with which SDK and version of A2A the agent is made, as not all have all."""

import asyncio
import contextlib
import os
import sys
import uuid
from urllib.parse import urlsplit

import httpx
import receiver
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.transports.jsonrpc import JsonRpcTransport
from a2a.client.transports.rest import RestTransport
from google.protobuf.json_format import ParseDict
from a2a.types import (
    CancelTaskRequest, GetExtendedAgentCardRequest, GetTaskRequest, ListTasksRequest, Message, Part, Role, SendMessageConfiguration,
    SendMessageRequest, StreamResponse, SubscribeToTaskRequest, TaskPushNotificationConfig, TaskState,
    DeleteTaskPushNotificationConfigRequest, GetTaskPushNotificationConfigRequest, ListTaskPushNotificationConfigsRequest,
)  # fmt: skip
from a2a.utils.errors import TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError


def message(text, context=""):
    return SendMessageRequest(
        message=Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, context_id=context, parts=[Part(text=text)]),
        configuration=SendMessageConfiguration(return_immediately=text == "wait"),
    )


async def first(parts):
    """The first part of a stream, which may go on for as long as the task."""
    async with contextlib.aclosing(parts):
        return await anext(parts)


async def refused(error, call):
    try:
        await call
    except error:
        return
    raise AssertionError(f"not refused as {error.__name__}")


async def notified(client, sdk):
    """Has notifications sent by a message and by a call, and stops them."""
    url, received = receiver.start()

    def next_state():
        return ParseDict(received.get(timeout=30), StreamResponse()).status_update.status.state

    request = message("wait")
    request.configuration.task_push_notification_config.CopyFrom(TaskPushNotificationConfig(url=url, token=receiver.TOKEN))
    task = (await first(client.send_message(request))).task
    assert await asyncio.to_thread(received.get, timeout=30)
    kept = await client.get_task_push_notification_config(GetTaskPushNotificationConfigRequest(task_id=task.id, id=task.id))
    assert kept.url == url and not kept.token, kept
    other, unused = receiver.start()
    second = await client.create_task_push_notification_config(
        TaskPushNotificationConfig(task_id=task.id, id="second", url=other, token=receiver.TOKEN)
    )
    assert second.id == "second", second
    listed = await client.list_task_push_notification_configs(ListTaskPushNotificationConfigsRequest(task_id=task.id))
    assert {config.id for config in listed.configs} == {"second", task.id}, listed
    await client.delete_task_push_notification_config(DeleteTaskPushNotificationConfigRequest(task_id=task.id, id="second"))
    await client.cancel_task(CancelTaskRequest(id=task.id))
    states = []
    # The SDKs of 0.3 do not notify of a cancelling, after the stream has ended.
    while sdk.endswith("1.0") and TaskState.TASK_STATE_CANCELED not in states:
        states.append(await asyncio.to_thread(next_state))
    assert unused.empty(), unused.get()


async def main(url, binding, sdk):
    headers = {"Authorization": "Bearer " + os.environ["AGENT_HEALTH_KEY"]}
    async with httpx.AsyncClient(headers=headers, timeout=30) as http:
        parts = urlsplit(url)
        card = await A2ACardResolver(http, f"{parts.scheme}://{parts.netloc}", f"{parts.path}?{parts.query}").get_agent_card()
        assert card.capabilities.streaming and card.skills[0].id == "booking", card
        (availability,) = [extension.params for extension in card.capabilities.extensions if extension.uri.endswith("/availability-extension-v1.md")]
        # No agent of this check sends heartbeats.
        assert availability["state"] in ("ready", "unavailable") and availability["as_of"], availability
        config = ClientConfig(streaming=True, httpx_client=http, supported_protocol_bindings=[binding])
        client = ClientFactory(config).create(card)
        assert isinstance(client._transport, RestTransport if binding == "HTTP+JSON" else JsonRpcTransport), client._transport
        kinds = []
        text = ""
        async for part in client.send_message(message("Hello")):
            kinds.append(part.WhichOneof("payload"))
            if kinds[-1] == "artifact_update":
                text = part.artifact_update.artifact.parts[0].text
            if kinds[-1] == "task":
                done = part.task.id
        assert kinds == ["task", "status_update", "artifact_update", "status_update"] and text == "Booked.", kinds
        waiting = (await first(client.send_message(message("wait", "one-context")))).task
        followed = client.subscribe(SubscribeToTaskRequest(id=waiting.id))
        part = await anext(followed)
        assert waiting.id in (part.task.id, part.status_update.task_id), part
        cancelled = await client.cancel_task(CancelTaskRequest(id=waiting.id))
        assert cancelled.status.state == TaskState.TASK_STATE_CANCELED, cancelled
        rest = [part async for part in followed]
        # The others may end the streams of a task before they say so.
        assert sdk != "python-1.0" or rest[-1].status_update.status.state == TaskState.TASK_STATE_CANCELED, rest
        assert (await client.get_task(GetTaskRequest(id=done))).status.state == TaskState.TASK_STATE_COMPLETED
        if sdk.endswith("0.3"):
            await refused(UnsupportedOperationError, client.list_tasks(ListTasksRequest(page_size=10)))
        else:
            listed = await client.list_tasks(ListTasksRequest(page_size=10))
            assert {done, waiting.id} <= {task.id for task in listed.tasks}, listed
            listed = await client.list_tasks(ListTasksRequest(context_id="one-context"))
            assert [task.id for task in listed.tasks] == [waiting.id] and listed.total_size == 1, listed
        extended = await client.get_extended_agent_card(GetExtendedAgentCardRequest())
        assert extended.skills[0].id == "booking-first-class", extended
        await refused(TaskNotFoundError, client.get_task(GetTaskRequest(id="of-nobody")))
        await refused(TaskNotCancelableError, client.cancel_task(CancelTaskRequest(id=done)))
        await notified(client, sdk)
        print("streamed " + text)


asyncio.run(main(*sys.argv[1:]))
