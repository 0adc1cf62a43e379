/**
 * Agents as a whole: registration, profile, discovery tags, tombstone, erasure. Whether a transition or a registration is allowed is decided in
 * the model and the registry; the row of the pulse is written by {@code storage.pulses}.
 */
package dev.agenthealth.functions.storage.agents;
