/**
 * The API for language models: MCP. Its tools call the services that answer the routes of this API, which have the rules, limits and refusals.
 */
package dev.agenthealth.functions.gateway.mcp;
