package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DRAINING;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.REGISTERING;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.UNHEALTHY;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The permitted changes of the lifecycle status, from the table of RFC-0016 §2.2. Two changes are added: to {@code deregistered} from every status
 * (§11), and from {@code deregistered} to {@code active} by a registration (§3.3).
 */
public final class LifecycleTransitions {

    private static final Map<LifecycleStatus, Set<LifecycleStatus>> TABLE = Map.of(
            REGISTERING, EnumSet.of(ACTIVE, DEREGISTERED),
            ACTIVE, EnumSet.of(DRAINING, UNHEALTHY, DEREGISTERED),
            UNHEALTHY, EnumSet.of(ACTIVE, DEAD, DRAINING, DEREGISTERED),
            DRAINING, EnumSet.of(DEREGISTERED, DEAD),
            DEAD, EnumSet.of(ACTIVE, DEREGISTERED),
            DEREGISTERED, EnumSet.of(ACTIVE));

    private LifecycleTransitions() {}

    /** Returns whether an agent may go from {@code from} to {@code to}; a status never follows itself. */
    public static boolean allows(LifecycleStatus from, LifecycleStatus to) {
        return TABLE.get(from).contains(to);
    }
}
