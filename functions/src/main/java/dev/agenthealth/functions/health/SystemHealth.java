package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Freshness;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The health of the system, as last counted by the sweep. Thread-safe.
 *
 * <p>{@code agents}, {@code by_verdict} and {@code survival} count every agent that is not gone. A dead agent counts until it registers
 * again, is deregistered or dismissed, for at most 30 days. {@code dead} counts dead agents. {@code inactive} and {@code by_health_status}
 * do not count them. The score is the mean over the agents with a score, including dead agents. {@code by_state} counts these agents, and
 * {@code by_score} counts them in steps of 5 points for the whole system. {@code by_lifecycle_status} also counts deregistered agents, for
 * one hour. {@code as_of} is the last time at which the statistics are known to be right. Before the first count, it is null and the
 * statistics are 0.
 *
 * <p>{@code registry} is the state of the sweep: the start of the last pass, whether the pass is late, and since when the self-check fails
 * or many agents miss their heartbeats at once. Before the first count, it is absent.
 *
 * <p>The largest groups of each kind are shown individually; {@code other_groups} is the sum of the rest. A caller with some roles sees
 * these roles, if they are among the largest, and their sum instead of the system.
 */
public final class SystemHealth {

    private static final String AS_OF = "as_of";
    private static final String REGISTRY = "registry";
    private static final String LAST_SWEEP_AT = "last_sweep_at";

    private final StatisticsStore store;
    private final GroupStore groups;
    private final Clock clock;

    public SystemHealth(Database database, Clock clock) {
        this.store = new StatisticsStore(database);
        this.groups = new GroupStore(database);
        this.clock = clock;
    }

    /**
     * Returns the statistics for this caller. Every pass changes {@code as_of} and {@code last_sweep_at}, so the tag does not depend on
     * them. A caller with current statistics therefore gets 304 until another value changes.
     */
    ApiResponse answer(ApiRequest request) {
        ObjectNode json = of(request.caller());
        ObjectNode tagged = json.deepCopy();
        tagged.remove(AS_OF);
        if (tagged.get(REGISTRY) instanceof ObjectNode registry) {
            registry.remove(LAST_SWEEP_AT);
        }
        return ApiResponse.cacheable(request, json, EntityTag.of(Json.text(tagged)), Freshness.PRIVATE);
    }

    /** Returns the statistics for this caller. */
    public ObjectNode of(Caller caller) {
        Optional<StatisticsStore.Snapshot> latest = store.latest();
        FleetStatistics statistics =
                latest.map(StatisticsStore.Snapshot::statistics).orElse(FleetStatistics.EMPTY);
        ObjectNode json = caller.roleIds().isEmpty() ? ofFleet(statistics) : ofRoles(statistics, caller.roleIds());
        json.put(
                AS_OF,
                latest.map(StatisticsStore.Snapshot::asOf).map(Timestamps::text).orElse(null));
        latest.map(StatisticsStore.Snapshot::sweep).ifPresent(sweep -> json.set(REGISTRY, registry(sweep)));
        return json;
    }

    /** Returns the state of the sweep. A time is null if the sweep is not in that state. */
    private ObjectNode registry(SweepState sweep) {
        ObjectNode json = Json.object();
        json.put(LAST_SWEEP_AT, text(sweep.startedAt()));
        json.put("late", sweep.hasStarted() && !sweep.isOnTime(clock.instant()));
        json.put("self_check_failing_since", text(sweep.blackoutSince()));
        json.put("mass_silence_since", text(sweep.massSilenceSince()));
        json.put("mass_restart_since", text(sweep.massRestartSince()));
        json.put("probes_inconclusive_since", text(sweep.probes().inconclusiveSince()));
        return json;
    }

    private static String text(Instant moment) {
        return moment.isAfter(Instant.MIN) ? Timestamps.text(moment) : null;
    }

    private static ObjectNode ofRoles(FleetStatistics statistics, Set<String> roleIds) {
        GroupStatistics roles = statistics.of(GroupKind.ROLE);
        ObjectNode json = json(roleIds.stream()
                .map(roleId -> roles.of(GroupNumber.of(roleId)))
                .reduce(AgentStatistics.NONE, AgentStatistics::plus));
        ObjectNode groups = json.putObject("groups");
        putNamed(groups.putObject(GroupKind.ROLE.wireName()), roles, roleIds);
        groups.putObject(GroupKind.PROVIDER.wireName());
        groups.putObject(GroupKind.PLATFORM.wireName());
        return json;
    }

    private ObjectNode ofFleet(FleetStatistics statistics) {
        ObjectNode json = json(statistics.fleet());
        ObjectNode all = json.putObject("groups");
        ObjectNode others = Json.object();
        statistics.groups().forEach((kind, ofKind) -> {
            Collection<String> names =
                    groups.named(kind, ofKind.byNumber().keySet()).values();
            AgentStatistics rest = putNamed(all.putObject(kind.wireName()), ofKind, names);
            if (!rest.equals(AgentStatistics.NONE)) {
                others.set(kind.wireName(), json(rest));
            }
        });
        if (!others.isEmpty()) {
            json.set("other_groups", others);
        }
        statistics.fleet().scoreSteps().forEach(json.putArray("by_score")::add);
        return json;
    }

    /** Puts the groups with these names, and returns the statistics of all other groups. */
    private static AgentStatistics putNamed(ObjectNode json, GroupStatistics all, Collection<String> names) {
        Map<String, Long> numbers = new TreeMap<>();
        for (String name : names) {
            long number = GroupNumber.of(name);
            if (all.byNumber().containsKey(number)) {
                numbers.put(name, number);
            }
        }
        Set<Long> unnamed = new HashSet<>(all.byNumber().keySet());
        numbers.forEach((name, number) -> {
            json.set(name, json(all.of(number)));
            unnamed.remove(number);
        });
        return unnamed.stream().map(all::of).reduce(all.others(), AgentStatistics::plus);
    }

    private static ObjectNode json(AgentStatistics agents) {
        ObjectNode json = Json.object();
        json.put("score", agents.meanScore().orElse(null));
        json.put("agents", agents.agents());
        json.put("dead", agents.dead());
        json.put("inactive", agents.inactive());
        ObjectNode byVerdict = json.putObject("by_verdict");
        Verdict.COUNTED.forEach(verdict -> byVerdict.put(verdict.wireName(), agents.get(Statistic.of(verdict))));
        ObjectNode byState = json.putObject("by_state");
        for (ScoreState state : ScoreState.values()) {
            byState.put(state.wireName(), agents.get(Statistic.of(state)));
        }
        ObjectNode byHealth = json.putObject("by_health_status");
        for (HealthStatus status : HealthStatus.values()) {
            byHealth.put(status.wireName(), agents.get(Statistic.of(status)));
        }
        ObjectNode byLifecycle = json.putObject("by_lifecycle_status");
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                byLifecycle.put(status.wireName(), agents.get(Statistic.of(status)));
            }
        }
        ObjectNode survival = json.putObject("survival");
        survival.put("total", agents.agents());
        survival.put("healthy", agents.healthy());
        survival.put("down", agents.down());
        survival.put("rate", agents.survivalRate().orElse(null));
        survival.put("healthy_rate", agents.healthyRate().orElse(null));
        return json;
    }
}
