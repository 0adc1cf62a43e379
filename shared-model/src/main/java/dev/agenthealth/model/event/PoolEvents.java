package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.version.VersionFigures;
import dev.agenthealth.model.registry.version.VersionRule;
import dev.agenthealth.model.registry.version.WorseVersion;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The events about pools, in the registry's own log (RFC-0016 §7, §12). */
public final class PoolEvents {

    private PoolEvents() {}

    /**
     * Returns the event that a pool has fewer active members than its workflow declares. It is published again whenever the number falls further,
     * until the pool recovers.
     */
    public static Event belowMinimum(String roleId, long activeInstances, int minInstances, Instant now) {
        String eventId = "pool:" + roleId + ":below:" + now.toEpochMilli();
        EventDetail detail = new EventDetail(EventType.POOL_BELOW_MINIMUM, EventSeverity.ofPool(activeInstances));
        return event(detail, eventId, roleId, activeInstances, minInstances, now);
    }

    /**
     * Returns the event that a pool recovered: it has as many active members as its workflow declares.
     *
     * @param minInstances the declared minimum; 0 if no workflow declares one any more
     * @param now the moment of the event, not before the event about the loss
     */
    public static Event recovered(String roleId, long activeInstances, int minInstances, Instant now) {
        String eventId = "pool:" + roleId + ":recovered:" + now.toEpochMilli();
        return event(new EventDetail(EventType.POOL_RECOVERED), eventId, roleId, activeInstances, minInstances, now);
    }

    /** Returns the event that a version of a role is worse than the version before it. */
    public static Event versionWorse(WorseVersion problem, VersionRule.Change change) {
        EventDetail detail = versions(EventType.POOL_VERSION_WORSE, problem, change)
                .with(
                        "findings",
                        change.findings().stream()
                                .sorted()
                                .map(WireNamed::wireName)
                                .toList());
        return detail.ofRegistry(versionId(problem, "worse", problem.since()), problem.since());
    }

    /** Returns the event that a version of a role is no longer worse, or no longer in use. The end is after the beginning. */
    public static Event versionRecovered(WorseVersion problem, VersionRule.Change change, Instant now) {
        Instant at = now.isAfter(problem.since()) ? now : problem.since().plusMillis(1);
        return versions(EventType.POOL_VERSION_RECOVERED, problem, change)
                .with("since", problem.since())
                .ofRegistry(versionId(problem, "recovered", at), at);
    }

    private static String versionId(WorseVersion problem, String word, Instant at) {
        return "pool:" + problem.roleId() + ":version:" + problem.version() + ":" + word + ":" + at.toEpochMilli();
    }

    private static EventDetail versions(EventType type, WorseVersion problem, VersionRule.Change change) {
        return new EventDetail(type)
                .with("role_id", problem.roleId())
                .with("agent_version", problem.version())
                .with("previous_version", change.before().version())
                .with("figures", figures(change.version()))
                .with("previous_figures", figures(change.before()));
    }

    private static Map<String, Object> figures(VersionFigures version) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("executions", version.sums().executions());
        figures.put("successes", version.sums().successes());
        figures.put("latency_p99_ms", Math.round(version.p99Ms()));
        figures.put("tokens_per_execution", Math.round(version.tokensPerExecution()));
        return figures;
    }

    private static Event event(
            EventDetail detail, String eventId, String roleId, long activeInstances, int minInstances, Instant now) {
        return detail.with("role_id", roleId)
                .with("active_instances", activeInstances)
                .with("min_instances", (long) minInstances)
                .ofRegistry(eventId, now);
    }
}
