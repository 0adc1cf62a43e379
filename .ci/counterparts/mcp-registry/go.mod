module counterparts/mcp-registry

go 1.26.0

require github.com/modelcontextprotocol/registry v1.8.9
