"""A server of the official MCP SDK for Python, on the port of the first argument; with `stateless`, it keeps no sessions and answers in JSON. Where CHANGED
is set, it has another tool."""

import os
import sys

from mcp.server import MCPServer

server = MCPServer("mcp-python", log_level="WARNING")


@server.tool(name=os.environ.get("CHANGED", "echo"))
def echo(text: str) -> str:
    """Returns its argument."""
    return text


stateless = "stateless" in sys.argv
server.run("streamable-http", port=int(sys.argv[1]), stateless_http=stateless, json_response=stateless)
