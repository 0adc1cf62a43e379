package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;
import java.util.Set;

/**
 * The ways in which an agent shows that it is alive.
 *
 * @param mode whether missing heartbeats are a fault
 * @param schedule the schedule of the agent's runs; empty if it runs all the time
 * @param confirmsDeath whether the registry probes the agent before it marks the agent as dead
 * @param others signs that count as heartbeats, besides heartbeats, pings and probes
 */
public record LifeSigns(Mode mode, Optional<RunSchedule> schedule, boolean confirmsDeath, Set<SignOfLife> others) {

    /** Heartbeats at an interval (RFC-0016 §4). */
    public static final LifeSigns HEARTBEATS = new LifeSigns(Mode.HEARTBEATS, Optional.empty());

    public LifeSigns {
        others = Set.copyOf(others);
    }

    /** Creates the signs of an agent for which only heartbeats, pings and probes count. */
    public LifeSigns(Mode mode, Optional<RunSchedule> schedule, boolean confirmsDeath) {
        this(mode, schedule, confirmsDeath, Set.of());
    }

    /** Creates the signs of an agent that the registry does not ask before it marks it as dead. */
    public LifeSigns(Mode mode, Optional<RunSchedule> schedule) {
        this(mode, schedule, false);
    }

    /** The meaning of missing heartbeats. */
    public enum Mode implements WireNamed {
        HEARTBEATS,
        /** Missing heartbeats are no fault. The agent is active until it is deregistered. */
        NONE
    }
}
