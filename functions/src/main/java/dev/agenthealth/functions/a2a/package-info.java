/** The A2A protocol over JSON-RPC, in its versions 0.3 and 1.0: what is sent to an agent, and what its answer means. */
package dev.agenthealth.functions.a2a;
