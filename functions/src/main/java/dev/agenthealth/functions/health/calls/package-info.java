/** The callers of agents through the gateway, and the agents that they call. This package only reads. */
package dev.agenthealth.functions.health.calls;
