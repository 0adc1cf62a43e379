package dev.agenthealth.functions.health.usage;

import static dev.agenthealth.functions.api.access.Access.ANY_KEY;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Period;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.usage.UsageStore;
import dev.agenthealth.functions.storage.usage.UsageStore.Scope;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.PriceTable;
import dev.agenthealth.model.registry.usage.Usage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The route of the usage over time. Thread-safe. */
public final class UsageRoutes {

    private static final Duration MAX_PERIOD = Duration.ofDays(90);
    private static final Duration MAX_BY_HOUR = Duration.ofDays(7);

    /** The maximum number of agents of a role that an answer has. */
    private static final int MAX_AGENTS = 100;

    private final UsageStore usage;
    private final PoolStore pools;
    private final AgentAccess access;
    private final CachedConfiguration configuration;
    private final Clock clock;

    public UsageRoutes(Database database, Clock clock) {
        this.usage = new UsageStore(database);
        this.pools = new PoolStore(database);
        this.access = new AgentAccess(new AgentStore(database));
        this.configuration = new CachedConfiguration(database);
        this.clock = clock;
    }

    /** The subjects of series. */
    enum By implements WireNamed {
        AGENT,
        ROLE,
        OWNER,
        MODEL,
        PROVIDER
    }

    /** The time between two points of a series. */
    enum Step implements WireNamed {
        HOUR(1),
        DAY(UsageStore.HOURS_PER_DAY);

        private final int hours;

        Step(int hours) {
            this.hours = hours;
        }

        /** Returns the number of the step that an hour belongs to. */
        long of(long hour) {
            return Math.floorDiv(hour, hours);
        }

        /** Returns the first hour of a step. */
        long hour(long step) {
            return step * hours;
        }
    }

    public void addTo(Routes routes) {
        routes.on("GET /api/v1/usage", ANY_KEY, this::answer, QUERY);
    }

    /**
     * {@code GET /api/v1/usage}: tokens and calls by hour or day. Steps without usage have no point.
     *
     * @throws ApiError 400 for an invalid query; 403 for data of all roles and a key that is limited to some roles, and for an agent's key without
     *     an agent of its own; 404 for an unknown agent
     */
    private ApiResponse answer(ApiRequest request) {
        Fields query = request.queryFields();
        Period period = Period.of(query, clock.instant(), MAX_PERIOD);
        boolean isLong = period.length().compareTo(MAX_BY_HOUR) > 0;
        query.require("by");
        By by = query.oneOf("by", By.class).orElse(By.ROLE);
        Step step = query.oneOf("step", Step.class)
                .orElse(period.length().compareTo(Duration.ofDays(2)) > 0 ? Step.DAY : Step.HOUR);
        String agentId = query.id("agent_id");
        String roleId = query.id("role_id");
        if (isLong && step == Step.HOUR) {
            query.refuse("step", "must be day for a period of more than 7 days");
        }
        if (by != By.AGENT && !agentId.isEmpty()) {
            query.refuse("agent_id", "belongs to by=agent");
        }
        if (by != By.AGENT && by != By.ROLE && !roleId.isEmpty()) {
            query.refuse("role_id", "belongs to by=agent and by=role");
        }
        if (by == By.AGENT && agentId.isEmpty() == roleId.isEmpty()) {
            query.refuse("by", "agent needs either agent_id or role_id");
        }
        boolean csv = UsageAnswer.isCsv(request, query);
        query.check();
        if (!request.caller().mayListAgents() && agentId.isEmpty()) {
            throw ApiError.forbidden("The key of an agent may read the usage of its own agents only, with agent_id.");
        }
        boolean allRoles = request.caller().roleIds().isEmpty();
        if (!roleId.isEmpty() && !request.caller().maySeeRole(roleId) || !allRoles && by != By.AGENT && by != By.ROLE) {
            throw ApiError.forbidden("This key may read the usage of its roles and their agents only.");
        }
        Instant last = period.to().isBefore(clock.instant()) ? period.to().minusMillis(1) : period.to();
        Reading reading = new Reading(step, step.of(HourUsage.at(period.from())), step.of(HourUsage.at(last)));
        Map<String, SortedMap<Long, Usage>> series =
                switch (by) {
                    case AGENT -> ofAgents(request, agentId, roleId, reading);
                    case ROLE ->
                        subjects(reading, Scope.ROLE, Function.identity()).entrySet().stream()
                                .filter(role ->
                                        roleId.isEmpty() || role.getKey().equals(roleId))
                                .filter(role -> request.caller().maySeeRole(role.getKey()))
                                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
                    case OWNER -> subjects(reading, Scope.OWNER, Function.identity());
                    case MODEL -> subjects(reading, Scope.FLEET, fleet -> byName(fleet, ModelName::model));
                    case PROVIDER -> subjects(reading, Scope.FLEET, fleet -> byName(fleet, ModelName::provider));
                };
        return new UsageAnswer(by, step, period, csv, prices()).of(series);
    }

    private PriceTable prices() {
        return configuration.current().configuration().get(RuntimeSettings.MODEL_PRICES);
    }

    /** The steps of an answer. */
    private record Reading(Step step, long first, long last) {}

    private Map<String, SortedMap<Long, Usage>> ofAgents(
            ApiRequest request, String agentId, String roleId, Reading reading) {
        if (!agentId.isEmpty()) {
            access.find(request.caller(), agentId);
        }
        List<String> ids = agentId.isEmpty()
                ? List.copyOf(
                        pools.members(List.of(roleId), MAX_AGENTS).get(roleId).keySet())
                : List.of(agentId);
        Map<String, SortedMap<Long, Usage>> series = new TreeMap<>();
        ids.forEach(id -> series.put(id, ofAgent(id, reading)));
        if (agentId.isEmpty()) {
            series.values().removeIf(Map::isEmpty);
        }
        return series;
    }

    private SortedMap<Long, Usage> ofAgent(String agentId, Reading reading) {
        if (reading.first() > reading.last()) {
            return Collections.emptySortedMap();
        }
        if (reading.step() == Step.DAY) {
            return usage.days(agentId, reading.first(), reading.last());
        }
        SortedMap<Long, Usage> hours = new TreeMap<>();
        usage.hours(agentId, reading.first(), reading.last()).forEach((hour, used) -> hours.put(hour, used.counted()));
        return hours;
    }

    /** Returns the series of subjects. Each step costs one query. */
    private Map<String, SortedMap<Long, Usage>> subjects(
            Reading reading, Scope scope, Function<SortedMap<String, Usage>, SortedMap<String, Usage>> split) {
        BiFunction<Scope, Long, SortedMap<String, Usage>> read =
                reading.step() == Step.HOUR ? usage::inHour : usage::onDay;
        Map<String, SortedMap<Long, Usage>> series = new TreeMap<>();
        for (long step = reading.first(); step <= reading.last(); step++) {
            long at = step;
            split.apply(read.apply(scope, step))
                    .forEach((subject, used) -> series.computeIfAbsent(subject, key -> new TreeMap<>())
                            .put(at, used));
        }
        return series;
    }

    private static SortedMap<String, Usage> byName(SortedMap<String, Usage> fleet, Function<ModelName, String> name) {
        SortedMap<String, Usage> byName = new TreeMap<>();
        fleet.values().forEach(used -> used.byModel()
                .forEach((model, numbers) ->
                        byName.merge(name.apply(model), Usage.of(model, numbers.numbers()), Usage::plus)));
        return byName;
    }
}
