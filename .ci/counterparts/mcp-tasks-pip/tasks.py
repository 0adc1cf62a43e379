"""Calls an agent as a task of MCP 2025-11-25, by the official SDK for Python. Arguments: URL of the registry, key, agent."""

import asyncio
import sys

from mcp import ClientSession, McpError, types
from mcp.client.streamable_http import streamablehttp_client


async def refused(call):
    try:
        await call
    except McpError as error:
        return error.error.code
    raise AssertionError("not refused")


async def main(url, key, agent):
    headers = {"Authorization": "Bearer " + key}
    async with streamablehttp_client(url + "/mcp", headers=headers) as (read, write, _), ClientSession(read, write) as session:
        capabilities = (await session.initialize()).capabilities.tasks
        assert capabilities.requests.tools.call and capabilities.cancel and not capabilities.list, capabilities
        tools = (await session.list_tools()).tools
        assert {tool.name: tool.execution.taskSupport for tool in tools if tool.execution} == {"invoke_agent": "optional"}, tools
        tasks = session.experimental
        begun = (await tasks.call_tool_as_task("invoke_agent", {"agent_id": agent, "message": "Oslo"})).task
        states = [task.status async for task in tasks.poll_task(begun.taskId)]
        assert states[0] == "working" and states[-1] == "completed", states
        result = await tasks.get_task_result(begun.taskId, types.CallToolResult)
        waiting = (await tasks.call_tool_as_task("invoke_agent", {"agent_id": agent, "message": "wait"})).task
        await asyncio.sleep(2)
        assert (await tasks.get_task(waiting.taskId)).status == "working"
        assert (await tasks.cancel_task(waiting.taskId)).status == "cancelled"
        assert (await tasks.get_task(waiting.taskId)).status == "cancelled"
        assert await refused(tasks.cancel_task(waiting.taskId)) == -32602
        assert await refused(tasks.get_task("rcpt_unknown")) == -32602
        print(result.structuredContent["output"]["task"]["artifacts"][0]["parts"][0]["text"])


asyncio.run(main(*sys.argv[1:]))
