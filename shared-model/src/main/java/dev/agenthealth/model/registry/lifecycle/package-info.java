/**
 * The lifecycle of agents: heartbeats, heartbeat timeouts, drains and the transitions between lifecycle statuses (RFC-0016).
 *
 * <p>Health, score and trust are separate concepts and have their own packages.
 */
package dev.agenthealth.model.registry.lifecycle;
