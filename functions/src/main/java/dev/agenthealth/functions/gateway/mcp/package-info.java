/** The API for language models: MCP. Its tools call the services behind the HTTP routes, which have the rules, limits and refusals. */
package dev.agenthealth.functions.gateway.mcp;
