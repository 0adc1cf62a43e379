package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;
import java.util.Set;

/**
 * The ways in which an agent shows that it lives.
 *
 * @param mode whether its silence is a fault
 * @param schedule when it runs; empty where it runs all the time
 * @param confirmsDeath whether it is asked, where it is silent, before it is marked as dead
 * @param others what counts as a heartbeat beside its heartbeats, pings and probes
 */
public record LifeSigns(Mode mode, Optional<RunSchedule> schedule, boolean confirmsDeath, Set<SignOfLife> others) {

    /** Heartbeats at an interval (RFC-0016 §4). */
    public static final LifeSigns HEARTBEATS = new LifeSigns(Mode.HEARTBEATS, Optional.empty());

    public LifeSigns {
        others = Set.copyOf(others);
    }

    /** Nothing counts but heartbeats, pings and probes. */
    public LifeSigns(Mode mode, Optional<RunSchedule> schedule, boolean confirmsDeath) {
        this(mode, schedule, confirmsDeath, Set.of());
    }

    /** The signs of an agent that is marked as dead unasked. */
    public LifeSigns(Mode mode, Optional<RunSchedule> schedule) {
        this(mode, schedule, false);
    }

    /** Returns whether silence is a fault. */
    public enum Mode implements WireNamed {
        HEARTBEATS,
        /** The agent is active until it is deregistered. */
        NONE
    }
}
