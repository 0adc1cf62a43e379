package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.outcome.Outcome;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * The day before the demo starts: its agents work for 24 hours on a fast clock, in a system that runs by hand. Not thread-safe.
 *
 * <p>An agent crashes and recovers, another pauses, another is blocked for two hours, another is worse since a deployment, and another died
 * and did not recover.
 */
public final class DemoHistory {

    /** An agent that died four hours ago and did not recover. */
    static final String DEAD = "mail-import-1";

    /** An agent that fails more often, and takes longer, since a deployment six hours ago. */
    static final String DEPLOYED = "support-5";

    private static final Duration LENGTH = Duration.ofDays(1);

    /** The interval of the agents' heartbeats and of the sweep. */
    private static final Duration STEP = Duration.ofHours(1);

    private static final HeartbeatConfig HEARTBEATS = new HeartbeatConfig(1_500, 3_000, 6_000);

    private static final int STEPS = 24;
    private static final int STEPS_OF_PROGRESS = 6;
    private static final int DEPLOYMENT = STEPS - 6;

    private static final String BLOCKED = "planner-2";
    private static final int BLOCK = 10;
    private static final int UNBLOCK = BLOCK + 2;

    /** The time over which executions of a window of the demo are spread, just enough for a health status. */
    private static final Duration SLOWLY = Duration.ofHours(8);

    /** The steps in which agents send nothing, by agent: the first step, and the step after the last. */
    private static final Map<String, List<List<Integer>>> SILENCES = Map.of(
            "billing-4",
            List.of(List.of(5, 7)),
            "fraud-check-2",
            List.of(List.of(4, 5), List.of(15, 16)),
            DEAD,
            List.of(List.of(STEPS - 5, STEPS + 1)));

    private final LocalSystem system;
    private final PastClock clock;
    private final RegistryHttp administrator;
    private final RegistryHttp agents;
    private final FleetHistoryStore counts;
    private final Map<DemoFleet.Member, ObjectNode> registrations = new LinkedHashMap<>();

    private DemoHistory(LocalSystem system, PastClock clock, String administratorKey, DemoEndpoint endpoint) {
        this.system = system;
        this.clock = clock;
        this.administrator = new RegistryHttp(URI.create(system.baseUrl()), administratorKey);
        this.agents = administrator.withNewKey("agent", "demo", DemoFleet.providers());
        this.counts = new FleetHistoryStore(system.stored());
        List<DemoFleet.Member> members = new ArrayList<>(DemoFleet.MEMBERS);
        members.add(new DemoFleet.Member(
                DEAD, "mail-importer", Behaviour.FAST, DemoFleet.INTERNAL, DemoFleet.Called.NEVER));
        for (DemoFleet.Member member : members) {
            ObjectNode registration = member.registration(registrations.size(), endpoint.url());
            registrations.put(member, Declaration.heartbeats(registration, HEARTBEATS));
        }
    }

    /**
     * Writes the day.
     *
     * @param options the options of the system that continues with the database
     * @param now the clock of that system
     * @param progress takes a line after each quarter of the day
     * @return the key of the agents
     * @throws IOException if no port is free
     */
    public static String write(LocalOptions options, DemoEndpoint endpoint, Clock now, Consumer<String> progress)
            throws IOException {
        PastClock clock = new PastClock(now.instant().minus(LENGTH));
        LocalOptions past = options.clock(clock, clock::advance)
                .environment(Map.of(FunctionSettings.SWEEP_PERIOD_SECONDS.name(), String.valueOf(STEP.toSeconds())))
                .port(0)
                .byHand();
        try (LocalSystem system = LocalSystem.start(past)) {
            DemoHistory history = new DemoHistory(system, clock, options.administratorKey(), endpoint);
            history.run(progress);
            clock.advance(Duration.between(clock.instant(), now.instant()));
            history.end(endpoint);
            return history.agents.key();
        }
    }

    private void run(Consumer<String> progress) {
        registrations.values().forEach(registration -> agents.post("/api/v1/agents", registration));
        for (int step = 0; step < STEPS; step++) {
            operate(step);
            act(step);
            sweep();
            fill();
            clock.advance(STEP);
            if ((step + 1) % STEPS_OF_PROGRESS == 0) {
                progress.accept((step + 1) + " of " + STEPS + " hours");
            }
        }
    }

    private void operate(int step) {
        String agent = "/v1/admin/agents/" + BLOCKED;
        if (step == BLOCK) {
            administrator.post(agent + "/block", json().put("reason", "It plans in circles."));
        }
        if (step == UNBLOCK) {
            administrator.post(agent + "/unblock", json());
        }
        if (step == DEPLOYMENT) {
            agents.patch("/api/v1/agents/" + DEPLOYED, Declaration.nextModel(), "*");
        }
    }

    /** Sends a heartbeat with the outcomes of an hour for each agent that has heartbeats at this step. Dead agents register again. */
    private void act(int step) {
        ObjectNode body = json();
        ArrayNode heartbeats = body.putArray("heartbeats");
        registrations.keySet().stream()
                .filter(member -> !isSilent(member.id(), step))
                .forEach(member -> heartbeat(member, step, heartbeats.addObject()));
        for (JsonNode result : agents.post("/api/v1/heartbeats", body).json().path("results")) {
            if (result.path("status_code").asInt() == 410) {
                registrations.forEach((member, registration) -> {
                    if (member.id().equals(result.path("agent_id").asText())) {
                        agents.post("/api/v1/agents", registration);
                    }
                });
            }
        }
    }

    private void heartbeat(DemoFleet.Member member, int step, ObjectNode heartbeat) {
        heartbeat
                .put("agent_id", member.id())
                .put("status", "active")
                .put("client_timestamp", clock.instant().toString());
        boolean isBeforeDeployment = member.id().equals(DEPLOYED) && step < DEPLOYMENT;
        Work work = (isBeforeDeployment ? Behaviour.FAST : member.behaviour()).work();
        if (work.hasExecutions()) {
            long executions = STEP.dividedBy(work.interval(SLOWLY));
            List<Outcome> outcomes = LongStream.range(0, executions)
                    .mapToObj(i -> work.execution(step * executions + i, clock.instant()))
                    .toList();
            if (!outcomes.isEmpty()) {
                new Batch("day-" + step, outcomes).putInto(heartbeat);
            }
        }
    }

    private static boolean isSilent(String agentId, int step) {
        return SILENCES.getOrDefault(agentId, List.of()).stream()
                .anyMatch(silence -> step >= silence.get(0) && step < silence.get(1));
    }

    private void sweep() {
        system.runSchedules();
        system.drainStreams();
        system.drainQueues();
    }

    /** Writes the counts of the minutes until the next sweep. They equal the counts of the last sweep. */
    private void fill() {
        long minute = FleetMinute.at(clock.instant());
        for (FleetMinute count : counts.minutes(minute, minute)) {
            for (long next = minute + 1; next < minute + STEP.toMinutes(); next++) {
                counts.put(new FleetMinute(next, false, count.fleet(), count.heartbeats(), count.verdicts()));
            }
        }
    }

    /** Ends the day: remaining agents send heartbeats at the interval of the demo. */
    private void end(DemoEndpoint endpoint) {
        act(STEPS);
        // The next sweep looks back an hour, and requests probes of all watched agents.
        DemoFleet.addSource(administrator, endpoint);
        DemoFleet.MEMBERS.forEach(member -> agents.patch(
                "/api/v1/agents/" + member.id(), Declaration.heartbeats(json(), DemoFleet.PLAN.heartbeat()), "*"));
        // The second sweep collects the events of the first sweep.
        sweep();
        sweep();
    }

    private static ObjectNode json() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A clock that only its owner moves. */
    private static final class PastClock extends Clock {

        private volatile Instant now;

        PastClock(Instant start) {
            this.now = start;
        }

        synchronized void advance(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return Clock.fixed(now, zone);
        }
    }
}
