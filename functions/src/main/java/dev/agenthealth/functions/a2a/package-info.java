/** The A2A protocol over JSON-RPC, versions 0.3 and 1.0: requests to agents and the meaning of their answers. No network access here. */
package dev.agenthealth.functions.a2a;
