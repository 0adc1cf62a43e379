package dev.agenthealth.model.health;

import dev.agenthealth.model.WireNamed;
import java.util.List;

/**
 * The state of an agent in one word: a summary of everything that the registry knows about it. People read it first, and coordinators filter by it
 * when they choose an agent.
 *
 * <p>An agent has the verdict of the worst {@link VerdictReason} that holds. Reasons come from independent sources: lifecycle status (is it
 * alive?), health status and score (does it work as declared?), lack of progress, and blocks by operators. So an agent with perfect outcomes is
 * {@link #DOWN} as soon as it is dead, and {@link #BLOCKED} as soon as an operator blocks it. Without any reason, the verdict is {@link #OK}.
 *
 * <p>The constants are in ascending order of severity. A verdict describes the agent and says nothing about a single call; consumers that are about
 * to call the agent use {@link CallAdvice}.
 */
public enum Verdict implements WireNamed {
    /** No reason speaks against the agent. */
    OK,
    /** The agent sent no heartbeat in this incarnation, and too few of its executions are known. */
    UNKNOWN,
    /** The agent works worse than declared, or takes no new work. */
    DEGRADED,
    /** The agent is dead, or most of its executions fail. */
    DOWN,
    /** An operator blocked the agent or its provider. */
    BLOCKED,
    /** The agent is deregistered, or dead for good. No statistic counts it, and lists show it only on request. */
    GONE;

    /** The verdicts of the agents that statistics count, the worst first. */
    public static final List<Verdict> COUNTED = List.of(BLOCKED, DOWN, DEGRADED, UNKNOWN, OK);
}
