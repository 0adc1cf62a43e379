package dev.agenthealth.model.health.containment;

import java.time.Instant;

/**
 * The agents that the guards of a rule hold back.
 *
 * @param guard the guard that holds back the first of them
 * @param agents the number of agents when the guard began to hold them back
 * @param since the time at which the guard began
 */
public record HeldBack(ContainmentGuard guard, long agents, Instant since) {}
