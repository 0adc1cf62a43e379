package dev.agenthealth.functions.health;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.functions.storage.usage.UsageStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.availability.FleetHour;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.health.availability.GroupSum;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.SweepEvent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Metrics of the fleet in the format of Prometheus: {@code GET /metrics}. Thread-safe.
 *
 * <p>All numbers come from the last count of the sweep, which is stored in a few items. A scrape reads no agent, so its cost and its number
 * of series do not grow with the fleet.
 */
final class FleetMetrics {

    /** The maximum number of roles with their own series: the largest roles. {@link #OTHER_ROLES} sums up the others. */
    static final int MAX_ROLES = 20;

    /** The label of all other roles. No role has this id. */
    static final String OTHER_ROLES = "_other";

    private static final String ROLE = "role";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private static final List<LifecycleStatus> STATUSES =
            List.of(LifecycleStatus.ACTIVE, LifecycleStatus.DRAINING, LifecycleStatus.UNHEALTHY, LifecycleStatus.DEAD);
    private static final String WINDOW = "window";
    private static final String DAY = "24h";
    private static final int HOURS_PER_DAY = 24;
    private static final double MILLIS_PER_SECOND = 1_000;

    /** The time after which a scrape without figures is repeated. */
    private static final Duration FIRST_COUNT = Duration.ofSeconds(10);

    private final StatisticsStore store;
    private final GroupStore groups;
    private final HealthStore healths;
    private final FleetHistoryStore history;
    private final UpstreamStore upstream;
    private final UsageStore usage;
    private final Clock clock;

    FleetMetrics(Database database, Clock clock) {
        this.store = new StatisticsStore(database);
        this.groups = new GroupStore(database);
        this.healths = new HealthStore(database);
        this.history = new FleetHistoryStore(database);
        this.upstream = new UpstreamStore(database);
        this.usage = new UsageStore(database);
        this.clock = clock;
    }

    /**
     * Returns the metrics in the format that the caller prefers.
     *
     * @throws ApiError 503 before the first sweep, so that a scrape without series does not look like a success
     */
    ApiResponse answer(ApiRequest request) {
        boolean openMetrics = prefersOpenMetrics(request.header("accept"));
        MetricsText text = new MetricsText(openMetrics);
        Instant now = clock.instant();
        Fields query = request.queryFields();
        List<String> roles = query.ids(ROLE, MAX_ROLES);
        query.refuseUnknown();
        query.check();
        add(store.latest().orElseThrow(FleetMetrics::notCounted), roles, now, text);
        healths.ofRegistry(false).map(AgentHealth::computedAt).ifPresent(at -> text.gauge(
                        "measurement_age_seconds",
                        "Time since the registry's own health was computed, which each full pass of the measurement does.")
                .sample(seconds(at, now)));
        return new ApiResponse(
                200,
                Map.of("Content-Type", openMetrics ? OPEN_METRICS : PROMETHEUS, "Cache-Control", "no-store"),
                text.text());
    }

    private static ApiError notCounted() {
        return ApiError.notReady("The sweep has not counted the agents yet.", FIRST_COUNT);
    }

    private void add(StatisticsStore.Snapshot latest, List<String> roles, Instant now, MetricsText text) {
        AgentStatistics fleet = latest.statistics().fleet();
        MetricsText.Family agents = text.gauge("agents", "Agents by lifecycle status, the dead until they are gone.");
        STATUSES.forEach(status -> agents.sample(fleet.get(Statistic.of(status)), "status", status.wireName()));
        MetricsText.Family verdicts = text.gauge("agents_by_verdict", "Agents by verdict.");
        for (Verdict verdict : Verdict.COUNTED) {
            verdicts.sample(fleet.get(Statistic.of(verdict)), "verdict", verdict.wireName());
        }
        text.gauge("agents_stalled", "Agents that send heartbeats and make no progress.")
                .sample(fleet.get(Statistic.STALLED));
        text.gauge("agents_waiting", "Agents that wait for a person.").sample(fleet.get(Statistic.WAITING));
        text.gauge("agents_looping", "Agents that repeat the same calls.").sample(fleet.get(Statistic.LOOPING));
        MetricsText.Family problems =
                text.gauge("open_problems", "Problems that are open or acknowledged, by severity, up to 1,000 each.");
        latest.openProblems().forEach((severity, number) -> problems.sample(number, "severity", severity.wireName()));
        MetricsText.Family upstreams =
                text.gauge("upstream_failing_agents", "Agents whose calls of a failing model provider fail.");
        upstream.inForce()
                .problems()
                .forEach(problem -> upstreams.sample(problem.counts().agents(), "provider", problem.provider()));
        Map<String, AgentStatistics> byRole = byRole(latest.statistics().of(GroupKind.ROLE), roles);
        addRoles(byRole, text);
        addAvailability(byRole, now, text);
        new UsageMetrics(usage).add(byRole.keySet(), now, text);
        fleet.meanScore().ifPresent(score -> text.gauge("score", "Mean score of the agents that have one, 0 to 100.")
                .sample(score.doubleValue()));
        latest.passes().heard().ifPresent(heard -> text.gauge(
                        "agents_heard", "Agents that sent a heartbeat within a minute.")
                .sample(heard));
        text.gauge(
                        "detection_latency_seconds",
                        "Longest time from a threshold to its detection, in the last sweep with any.")
                .sample(latest.passes().detectionLag().toMillis() / MILLIS_PER_SECOND);
        text.gauge("statistics_age_seconds", "Time since these statistics were last known to be right.")
                .sample(seconds(latest.asOf(), now));
        if (latest.sweep().hasStarted()) {
            text.gauge("sweep_age_seconds", "Time since the last sweep started.")
                    .sample(seconds(latest.sweep().startedAt(), now));
        }
        text.gauge("self_check_failing", "1 while heartbeats of the registry to itself do not arrive.")
                .sample(latest.sweep().isBlackout() ? 1 : 0);
        text.gauge("mass_silence", "1 while heartbeats of most of the fleet are missing.")
                .sample(latest.sweep().isMassSilence() ? 1 : 0);
        text.gauge("mass_restart", "1 while so many agents restart that deaths are postponed.")
                .sample(latest.sweep().isMassRestart() ? 1 : 0);
        MetricsText.Family events = text.counter(
                "sweep_events", "Events that the sweep published: no registrations, recoveries or drains.");
        for (SweepEvent event : SweepEvent.values()) {
            events.sample(latest.passes().events().get(event), "event", event.wireName());
        }
    }

    /**
     * Returns the statistics of the requested roles, or of the largest roles by name, and of the rest. Roles with an unknown name are part
     * of the rest.
     */
    private Map<String, AgentStatistics> byRole(GroupStatistics all, List<String> asked) {
        if (!asked.isEmpty()) {
            // For a role without stored statistics, 0 is certain only if the statistics of all roles are stored.
            boolean complete = all.others().equals(AgentStatistics.NONE);
            return new TreeMap<>(asked.stream()
                    .filter(role -> complete || all.byNumber().containsKey(GroupNumber.of(role)))
                    .collect(Collectors.toMap(Function.identity(), role -> all.of(GroupNumber.of(role)))));
        }
        GroupStatistics largest = all.largest(MAX_ROLES);
        Map<Long, String> names =
                groups.named(GroupKind.ROLE, largest.byNumber().keySet());
        Map<String, AgentStatistics> byName = new TreeMap<>();
        AgentStatistics[] rest = {largest.others()};
        largest.byNumber().forEach((number, statistics) -> {
            if (names.containsKey(number)) {
                byName.put(names.get(number), statistics);
            } else {
                rest[0] = rest[0].plus(statistics);
            }
        });
        if (!rest[0].equals(AgentStatistics.NONE)) {
            byName.put(OTHER_ROLES, rest[0]);
        }
        return byName;
    }

    private static void addRoles(Map<String, AgentStatistics> byName, MetricsText text) {
        if (byName.isEmpty()) {
            return;
        }
        MetricsText.Family agents = text.gauge("role_agents", "Agents of roles by lifecycle status.");
        byName.forEach((role, statistics) -> STATUSES.forEach(status ->
                agents.sample(statistics.get(Statistic.of(status)), ROLE, role, "status", status.wireName())));
        MetricsText.Family verdicts = text.gauge("role_agents_by_verdict", "Agents of roles by verdict.");
        byName.forEach((role, statistics) -> {
            for (Verdict verdict : Verdict.COUNTED) {
                verdicts.sample(statistics.get(Statistic.of(verdict)), ROLE, role, "verdict", verdict.wireName());
            }
        });
    }

    /** Adds the availability from counts by hour. A scrape cannot read all counts by minute. */
    private void addAvailability(Map<String, AgentStatistics> byRole, Instant now, MetricsText text) {
        // The sweep sums up an hour some minutes after its end.
        List<FleetHour> added = history.hours(FleetHour.at(now) - HOURS_PER_DAY - 1, FleetHour.at(now) - 1);
        if (added.isEmpty()) {
            return;
        }
        long last = added.get(added.size() - 1).hour();
        List<FleetHour> day = added.stream()
                .filter(hour -> hour.hour() > last - HOURS_PER_DAY)
                .toList();
        sum(day, FleetMinute.FLEET).ratio().ifPresent(ratio -> text.gauge(
                        "availability_ratio",
                        "Share of their time in which agents were up by their verdict, in the last 24 whole hours.")
                .sample(ratio.doubleValue(), WINDOW, DAY));
        MetricsText.Family roles = text.gauge(
                "role_availability_ratio", "Availability of roles that were among the 50 largest in those hours.");
        byRole.keySet().forEach(role -> sum(day, GroupNumber.of(role))
                .ratio()
                .ifPresent(ratio -> roles.sample(ratio.doubleValue(), ROLE, role, WINDOW, DAY)));
    }

    private static GroupSum sum(List<FleetHour> hours, long group) {
        return hours.stream().map(hour -> hour.of(group)).reduce(GroupSum.NONE, GroupSum::plus);
    }

    private static double seconds(Instant from, Instant now) {
        return Math.max(0, Duration.between(from, now).toMillis() / MILLIS_PER_SECOND);
    }

    /** Returns whether the header names OpenMetrics with at least the weight of plain text (RFC 9110 §12.5.1). */
    static boolean prefersOpenMetrics(String accept) {
        Optional<Double> openMetrics = Optional.empty();
        double text = 0;
        for (String range : accept.toLowerCase(Locale.ROOT).split(",")) {
            List<String> parts = new ArrayList<>();
            for (String part : range.split(";", -1)) {
                parts.add(part.trim().replace("\"", ""));
            }
            double weight = parts.stream()
                    .filter(part -> part.matches("q=[01](\\.[0-9]{0,3})?"))
                    .mapToDouble(part -> Double.parseDouble(part.substring(2)))
                    .findFirst()
                    .orElse(1);
            boolean isVersion1 =
                    parts.stream().noneMatch(part -> part.startsWith("version=")) || parts.contains("version=1.0.0");
            if (parts.get(0).equals("application/openmetrics-text") && isVersion1) {
                openMetrics = Optional.of(Math.max(weight, openMetrics.orElse(0d)));
            } else if (parts.get(0).equals("text/plain")) {
                text = Math.max(text, weight);
            }
        }
        return openMetrics.orElse(0d) > 0 && openMetrics.get() >= text;
    }
}
