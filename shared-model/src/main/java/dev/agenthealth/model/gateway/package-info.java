/** Calls of agents through the gateway: where they may go, how they may end, and what is kept of them. */
package dev.agenthealth.model.gateway;
