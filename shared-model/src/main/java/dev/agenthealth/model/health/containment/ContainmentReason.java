package dev.agenthealth.model.health.containment;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.VerdictReason;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/**
 * A reason for which a rule contains an agent.
 *
 * <p>Missing heartbeats, failed probes and a score are no such reasons. A busy, healthy agent may miss a probe, and a breaker that opens on this makes
 * the outage that it should prevent.
 */
public enum ContainmentReason implements WireNamed {
    LOOPING(VerdictReason.LOOPING, VerdictReason.LOOPING_THREE_TIMES_AS_OFTEN),
    STALLED(VerdictReason.STALLED, VerdictReason.STALLED_TWICE_AS_LONG),
    /** A limit of tokens, calls or executions is used up. */
    OVER_LIMIT(VerdictReason.OVER_LIMIT),
    /** Fewer than half of the executions in the agent's window succeeded. */
    LOW_SUCCESS(VerdictReason.HEALTH_UNHEALTHY),
    /** The quality of the evaluated executions is below the minimum that the agent declares. */
    LOW_QUALITY(VerdictReason.LOW_QUALITY),
    RESTARTS(VerdictReason.RESTARTS),
    LAST_RUN_FAILED(VerdictReason.LAST_RUN_FAILED),
    /** A process of the agent goes on although the agent is dead or deregistered. */
    ACTIVE_WHILE_GONE();

    private final Set<VerdictReason> verdicts;

    ContainmentReason(VerdictReason... verdicts) {
        this.verdicts = Set.of(verdicts);
    }

    /** Returns the reasons that hold for an agent with these reasons of its verdict. */
    public static Set<ContainmentReason> among(Collection<VerdictReason> found) {
        Set<ContainmentReason> reasons = EnumSet.noneOf(ContainmentReason.class);
        for (ContainmentReason reason : values()) {
            if (found.stream().anyMatch(reason.verdicts::contains)) {
                reasons.add(reason);
            }
        }
        return reasons;
    }
}
