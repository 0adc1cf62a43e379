/**
 * Decides by an agent's own health document whether to call the agent (Agent Health State, Appendix A). Needs no registry.
 *
 * <p>Start at {@link dev.agenthealth.client.gate.HealthGate}.
 */
package dev.agenthealth.client.gate;
