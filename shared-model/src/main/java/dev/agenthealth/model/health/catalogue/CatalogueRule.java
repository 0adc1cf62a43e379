package dev.agenthealth.model.health.catalogue;

import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;

/** Which agents stand in the catalogue. */
public final class CatalogueRule {

    private CatalogueRule() {}

    /**
     * Returns whether an agent that asked for it is listed in the catalogue now: it takes new work and sent a heartbeat, or enough of its executions are
     * known, and neither its failures nor a block speak against calling it.
     */
    public static boolean shows(Facts facts) {
        Verdict verdict = facts.verdict();
        return facts.lifecycle() == LifecycleStatus.ACTIVE && (verdict == Verdict.OK || verdict == Verdict.DEGRADED);
    }

    /** The reason for which an agent that asks for it cannot be listed, in words for its owner; empty where it can. */
    public static Optional<String> objection(AgentProfile profile) {
        if (!profile.description().inCatalogue()) {
            return Optional.empty();
        }
        if (profile.agentInterface().endpoint().isEmpty()) {
            return Optional.of("needs an endpoint, without which it cannot be called");
        }
        if (profile.description().personal()) {
            return Optional.of("must not be true for a personal agent");
        }
        return CatalogueUrn.mayName(profile.agentId())
                ? Optional.empty()
                : Optional.of("needs an agent_id without empty parts between colons");
    }
}
