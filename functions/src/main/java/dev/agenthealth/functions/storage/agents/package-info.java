/**
 * Agents as a whole: registration, profile, discovery tags, tombstone, erasure. The model and the registry decide whether a transition or a
 * registration is allowed; {@code storage.pulses} writes the row of the pulse.
 */
package dev.agenthealth.functions.storage.agents;
