package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.profile.AgentKind;
import dev.agenthealth.model.profile.ListedProfile;
import java.util.Set;

/**
 * The filters of a listing by what is known of each agent, which no index narrows. An agent passes if all of them hold.
 *
 * @param kinds agents of any of these kinds; empty for all
 * @param healthStatuses agents with any of these health statuses; empty for all
 * @param verdicts agents with any of these verdicts; empty for all
 * @param blocked whether the agents are blocked; empty for all
 * @param stalled whether the agents are stalled; empty for all
 */
public record ListFilters(
        Set<AgentKind> kinds,
        Set<HealthStatus> healthStatuses,
        Set<Verdict> verdicts,
        Set<Boolean> blocked,
        Set<Boolean> stalled) {

    /** The filters of a query; each bad value is an error of its parameter. */
    static ListFilters of(Fields query) {
        return new ListFilters(
                query.anyOf("kind", AgentKind.class),
                query.anyOf("health_status", HealthStatus.class),
                query.anyOf("verdict", Verdict.class),
                flag(query, "blocked"),
                flag(query, "stalled"));
    }

    private static Set<Boolean> flag(Fields query, String parameter) {
        return query.oneOf(parameter, "true", "false")
                .map(Boolean::valueOf)
                .map(Set::of)
                .orElse(Set.of());
    }

    boolean pass(ListedProfile profile, Facts facts) {
        return (kinds.isEmpty() || kinds.contains(profile.kind()))
                && (healthStatuses.isEmpty() || healthStatuses.contains(facts.healthStatus()))
                && (verdicts.isEmpty() || verdicts.contains(facts.verdict()))
                && (blocked.isEmpty() || blocked.contains(facts.isBlocked()))
                && (stalled.isEmpty() || stalled.contains(facts.isStalled()));
    }
}
