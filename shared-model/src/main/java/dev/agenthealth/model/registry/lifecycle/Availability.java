package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;

/** The readiness of an agent for new work, in the cards that lead to the gateway. It is as old as the agent's last sign of life. */
public enum Availability implements WireNamed {
    /** The agent takes new work. */
    READY,
    /** The agent has as many tasks as it declares to be its maximum. */
    BUSY,
    /** The agent finishes its tasks and takes no new work, or is asked to do so. */
    DRAINING,
    /** The agent is silent or gone, or its calls are blocked. */
    UNAVAILABLE;

    /**
     * Returns the availability of an agent. Empty if its silence is no fault, because its availability is then unknown.
     *
     * @param blocked whether the gateway refuses calls of the agent
     */
    public static Optional<Availability> of(Pulse pulse, boolean blocked) {
        boolean takesNothing = blocked || pulse.status().hasEnded() || pulse.status() == LifecycleStatus.UNHEALTHY;
        if (takesNothing) {
            return Optional.of(UNAVAILABLE);
        }
        if (pulse.status() == LifecycleStatus.DRAINING
                || pulse.coordination().pendingDrain().isPending()) {
            return Optional.of(DRAINING);
        }
        if (!pulse.config().expectsSigns()) {
            return Optional.empty();
        }
        int available = pulse.workload().available().orElse(1);
        return Optional.of(available > 0 ? READY : BUSY);
    }
}
