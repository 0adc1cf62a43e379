/**
 * The A2A protocol by JSON-RPC and HTTP+JSON, versions 0.3 and 1.0: requests to agents and the meaning of their answers. This package makes no
 * network access.
 */
package dev.agenthealth.functions.gateway.a2a;
