/** The API for language models: MCP. Its tools answer by routes of this API, of which they have access rules, limits and refusals. */
package dev.agenthealth.functions.mcp;
