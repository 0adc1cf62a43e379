/** Leases: the exclusive right of an agent to work on a scope, and how it ends if the agent is gone. */
package dev.agenthealth.functions.registry.leases;
