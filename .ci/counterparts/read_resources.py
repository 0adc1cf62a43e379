"""Reads the record and the health document of an agent with the client of the official MCP SDK for Python, in both eras of the protocol. Arguments: URL of
the registry, key, agent. Prints a line for each era: the number of templates, the status of the record and the version of the document."""

import asyncio
import json
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client


async def read(mode, url, key, agent):
    http = httpx2.AsyncClient(headers={"Authorization": "Bearer " + key})
    async with http, Client(streamable_http_client(url + "/mcp", http_client=http), mode=mode) as client:
        listed = {str(resource.uri) for resource in (await client.list_resources()).resources}
        templates = len((await client.list_resource_templates()).resource_templates)
        documents = []
        for uri in ("agent-health://agents/" + agent, f"agent-health://agents/{agent}/health"):
            assert uri in listed, listed
            documents.append(json.loads((await client.read_resource(uri)).contents[0].text))
        print(templates, documents[0]["status"], documents[1]["schema_version"])


async def main(*arguments):
    for mode in ("legacy", "auto"):
        await read(mode, *arguments)


asyncio.run(main(*sys.argv[1:]))
