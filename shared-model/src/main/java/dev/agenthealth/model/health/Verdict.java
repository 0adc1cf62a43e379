package dev.agenthealth.model.health;

import dev.agenthealth.model.WireNamed;
import java.util.List;

/** The state of an agent in one word, for people and for coordinators that choose. Later ones are worse. */
public enum Verdict implements WireNamed {
    /** Nothing is known against it. */
    OK,
    /** It sent no heartbeat yet, and too few of its executions are known. */
    UNKNOWN,
    /** It works, but worse than declared, or it takes no new work. */
    DEGRADED,
    /** It is dead, or most of its executions fail. */
    DOWN,
    /** An operator blocked it or its provider. */
    BLOCKED,
    /** It is deregistered, or dead for good: it counts nowhere, and lists show it only to those who ask for it. */
    GONE;

    /** The verdicts of the agents that are counted, the worst first. */
    public static final List<Verdict> COUNTED = List.of(BLOCKED, DOWN, DEGRADED, UNKNOWN, OK);
}
