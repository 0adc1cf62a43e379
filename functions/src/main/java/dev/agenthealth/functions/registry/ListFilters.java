package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.registry.profile.AgentKind;
import java.util.Set;

/**
 * The filters of a listing by what is known of each agent, which no index narrows. An agent passes if all of them hold.
 *
 * @param kinds agents of any of these kinds; empty for all
 * @param healthStatuses agents with any of these health statuses; empty for all
 * @param verdicts agents with any of these verdicts; empty for all
 * @param blocked whether the agents are blocked; empty for all
 * @param stalled whether the agents are stalled; empty for all
 * @param changed whether only agents pass whose declaration is another one than what was accepted
 */
public record ListFilters(
        Set<AgentKind> kinds,
        Set<HealthStatus> healthStatuses,
        Set<Verdict> verdicts,
        Set<Boolean> blocked,
        Set<Boolean> stalled,
        boolean changed) {

    /** The filters of a query; each bad value is an error of its parameter. */
    static ListFilters of(Fields query) {
        return new ListFilters(
                query.anyOf("kind", AgentKind.class),
                query.anyOf("health_status", HealthStatus.class),
                query.anyOf("verdict", Verdict.class),
                flag(query, "blocked"),
                flag(query, "stalled"),
                query.oneOf("declaration", "changed").isPresent());
    }

    private static Set<Boolean> flag(Fields query, String parameter) {
        return query.oneOf(parameter, "true", "false")
                .map(Boolean::valueOf)
                .map(Set::of)
                .orElse(Set.of());
    }

    boolean pass(ListedAgent agent, Facts facts) {
        return (kinds.isEmpty() || kinds.contains(agent.profile().kind()))
                && (!changed || agent.pulse().declarationChanged())
                && (healthStatuses.isEmpty() || healthStatuses.contains(facts.healthStatus()))
                && (verdicts.isEmpty() || verdicts.contains(facts.verdict()))
                && (blocked.isEmpty() || blocked.contains(facts.isBlocked()))
                && (stalled.isEmpty() || stalled.contains(facts.isStalled()));
    }
}
