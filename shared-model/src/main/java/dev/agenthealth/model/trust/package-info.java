/** Whom to trust: reputation, blocks and online status of agents and providers (ServiceNet). */
package dev.agenthealth.model.trust;
