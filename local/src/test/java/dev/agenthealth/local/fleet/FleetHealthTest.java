package dev.agenthealth.local.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.EventCheck;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The simulated fleet on the local run for more than two hours, with windows of one: the reported health of every agent matches
 * its executions.
 */
@Tag("exhaustive")
class FleetHealthTest {

    private static final String KEY = "test-administrator-key";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** One agent of each behaviour, and three more that are fast. What makes each special happens after an hour. */
    private static final FleetPlan PLAN = new FleetPlan(20, new HeartbeatConfig(60, 150, 600), 120, 60, 2, 3_600, 0);

    private final MutableClock clock = MutableClock.atExampleTime();
    private final Instant begin = clock.instant();
    private final ExecutorService executor = Executors.newFixedThreadPool(8);
    private final Map<String, TreeMap<Instant, KnownHealth>> known = new HashMap<>();
    private final Map<String, KnownEvents> knownEvents = new HashMap<>();
    private LocalSystem system;
    private RegistryHttp coordinator;
    private SimulatedFleet fleet;

    @BeforeEach
    void start() throws IOException {
        LocalOptions options = LocalOptions.of(templateWithRuleForHealth(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .sweepPeriod(MINUTE)
                .out(new PrintStream(OutputStream.nullOutputStream()));
        system = LocalSystem.start(options);
        RegistryHttp administrator = new RegistryHttp(URI.create(system.baseUrl()), KEY);
        coordinator = administrator.withNewKey("coordinator", "fleet", List.of());
        fleet = new SimulatedFleet(
                "test",
                PLAN,
                administrator.withNewKey("agent", "fleet", Declaration.providers()),
                coordinator,
                executor,
                begin);
    }

    @AfterEach
    void stop() {
        try {
            EventCheck.run(system);
        } finally {
            system.close();
            executor.shutdownNow();
        }
    }

    /** The template, but its example rule matches the events of agents' health and scores as well. */
    private static Template templateWithRuleForHealth() throws IOException {
        String text = Files.readString(Path.of("..", "template.yaml"));
        String lifecycle = "detail-type: [agent.lifecycle]";
        assertThat(text).contains(lifecycle);
        return Template.parse(
                text.replace(lifecycle, "detail-type: [agent.lifecycle, agent.health, agent.score]"),
                "template.yaml",
                ProjectFiles::text);
    }

    @Test
    @Tag("AHS-01")
    @Tag("AHS-02")
    @Tag("AHS-03")
    @Tag("AHS-04")
    @Tag("AHS-05")
    @Tag("AHS-06")
    @Tag("AHS-07")
    @Tag("AHS-08")
    @Tag("AHS-09")
    @Tag("AHS-10")
    @Tag("AHS-11")
    @Tag("AHS-13")
    @Tag("AHS-15")
    @Tag("AHS-18")
    @Tag("AHM-01")
    @Tag("AHM-02")
    @Tag("AHM-03")
    @Tag("AHM-04")
    @Tag("AHM-05")
    @Tag("AHM-06")
    @Tag("AHM-07")
    @Tag("AHM-08")
    @Tag("SYS-02")
    void the_health_of_every_agent_is_what_its_executions_say() {
        act(5);
        everyEventIsPublished();
        assertThat(statuses(Behaviour.FAST)).containsOnly("unknown");

        act(30);
        everyEventIsPublished();
        assertThat(statuses(Behaviour.FAST)).containsOnly("healthy");
        assertThat(statuses(Behaviour.SLOW)).containsOnly("degraded");
        assertThat(statuses(Behaviour.FLAKY)).containsOnly("degraded");
        assertThat(statuses(Behaviour.FAILING)).containsOnly("unhealthy");
        assertThat(statuses(Behaviour.HUNG)).containsOnly("unhealthy");

        act(64);
        everyEventIsPublished();
        assertThat(statuses(Behaviour.DRAINING)).containsOnly("gone");
        assertThat(statuses(Behaviour.SILENT)).containsOnly("degraded");

        act(75);
        everyEventIsPublished();
        assertThat(statuses(Behaviour.SILENT)).containsOnly("unhealthy");
        assertThat(states(Behaviour.SILENT)).containsOnly("Healthy");

        act(130);
        everyEventIsPublished();
        assertThat(states(Behaviour.SILENT)).containsOnly("Inactive");
        for (Behaviour behaviour : Behaviour.values()) {
            assertThat(behaviour.expected().status()).as(behaviour.wireName()).containsAll(statuses(behaviour));
            assertThat(behaviour.expected().scoreState())
                    .as(behaviour.wireName())
                    .containsAll(states(behaviour));
        }
        aModelThatChangedShowsAsDecline();
        theHistoryIsWhatWasOnce();
        everyChangeWasPublished();
        whatWasSentTwiceCountedOnce();
        assertThat(coordinator.get("/agents/unknown/.well-known/agent-health").status())
                .isEqualTo(404);
    }

    /** Runs the fleet until this number of minutes after the start. */
    private void act(int minutes) {
        while (clock.instant().isBefore(begin.plus(MINUTE.multipliedBy(minutes)))) {
            clock.advance(MINUTE);
            fleet.act(clock.instant());
            system.runSchedules();
            system.drainStreams();
            Map<String, String> lifecycle = lifecycle();
            for (SimulatedAgent agent : fleet.agents()) {
                String id = agent.agentId();
                KnownHealth health = KnownHealth.of(agent, lifecycle.get(id), PLAN.window(), clock.instant());
                known.computeIfAbsent(id, any -> new TreeMap<>()).put(clock.instant(), health);
                knownEvents.computeIfAbsent(id, any -> new KnownEvents()).found(health, clock.instant());
            }
        }
    }

    /** The lifecycle status of each agent by the events on the bus. */
    private Map<String, String> lifecycle() {
        return details("agent.lifecycle")
                .collect(Collectors.toMap(
                        detail -> detail.path("agent_id").asText(),
                        detail -> detail.path("new_status").asText(),
                        (before, after) -> after));
    }

    private Stream<JsonNode> details(String type) {
        return system.matchedEvents().stream()
                .filter(event -> event.path("detail-type").asText().equals(type))
                .map(event -> event.path("detail"));
    }

    private KnownHealth now(SimulatedAgent agent) {
        return known.get(agent.agentId()).get(clock.instant());
    }

    private List<SimulatedAgent> agents(Behaviour behaviour) {
        return fleet.agents().stream()
                .filter(agent -> agent.behaviour() == behaviour)
                .toList();
    }

    private List<String> statuses(Behaviour behaviour) {
        return agents(behaviour).stream()
                .map(agent -> now(agent).isGone() ? "gone" : now(agent).status())
                .toList();
    }

    private List<String> states(Behaviour behaviour) {
        return agents(behaviour).stream()
                .map(agent -> now(agent).isGone() ? "gone" : now(agent).scoreState())
                .toList();
    }

    private void everyEventIsPublished() {
        for (SimulatedAgent agent : fleet.agents()) {
            assertThat(agent.unexpectedAnswers()).as(agent.agentId()).isZero();
            RegistryHttp.Answer document =
                    coordinator.withoutKey().get("/agents/" + agent.agentId() + "/.well-known/agent-health");
            RegistryHttp.Answer score = coordinator.get("/api/v1/agents/" + agent.agentId() + "/health");
            if (now(agent).isGone()) {
                assertThat(document.status()).as(agent.agentId()).isEqualTo(410);
                assertThat(score.status()).as(agent.agentId()).isEqualTo(410);
                continue;
            }
            assertThat(document.status()).as(agent.agentId()).isEqualTo(200);
            assertThat(score.status()).as(agent.agentId()).isEqualTo(200);
            assertMatches(agent, document.json());
            isScored(agent, score.json());
        }
        // The sweep sums up what the measurement beside it found before.
        system.runSchedules();
        isSummedUp(coordinator.get("/api/v1/health").json());
    }

    private void assertMatches(SimulatedAgent agent, JsonNode document) {
        KnownHealth health = now(agent);
        String id = agent.agentId();
        assertThat(document.path("schema_version").asText()).as(id).isEqualTo("0.1.0");
        assertThat(document.path("agent_id").asText()).isEqualTo(id);
        assertThat(document.path("timestamp").asText()).as(id).isEqualTo(Timestamps.text(clock.instant()));
        String status = document.path("health").path("status").asText();
        if (agent.behaviour() == Behaviour.PERSONAL) {
            assertThat(status).as(id).isEqualTo(health.status().equals("degraded") ? "healthy" : health.status());
            assertThat(document.has("calibration") || document.has("decay")).isFalse();
            assertThat(document.path("health").size()).isOne();
            return;
        }
        assertThat(status).as(id).isEqualTo(health.status());
        isMeasured(id, document.path("calibration"), health);
        wasLastHealthy(id, document.path("health").path("last_healthy_at"));
        assertThat(document.path("decay").path("calibration_trend").asText())
                .as(id)
                .isEqualTo(health.trend());
        JsonNode days = document.path("decay").path("days_since_model_change");
        if (agent.modelChanged().isAfter(clock.instant())) {
            assertThat(days.isNull()).as(id).isTrue();
        } else {
            assertThat(days.isInt() && days.asInt() == 0).as(id).isTrue();
        }
    }

    private static void isMeasured(String id, JsonNode calibration, KnownHealth health) {
        assertThat(calibration.path("sample_count").asLong()).as(id).isEqualTo(health.samples());
        assertThat(calibration.path("response_ratio").asDouble())
                .as(id)
                .isCloseTo(health.responseRatio(), within(1e-6));
        assertThat(calibration.path("error_ratio").asDouble()).as(id).isCloseTo(health.errorRatio(), within(1e-6));
        assertThat(calibration.path("measurement_window_seconds").asLong())
                .as(id)
                .isEqualTo(PLAN.window().toSeconds());
        isClose(id, calibration.path("latency_p50_ms").asDouble(), health.latency(50));
        isClose(id, calibration.path("latency_p99_ms").asDouble(), health.latency(99));
    }

    /** Within the 5 % of a bucket, and then rounded to two digits. */
    private static void isClose(String id, double shown, double exact) {
        assertThat(shown).as(id).isCloseTo(exact, within(0.1 * exact));
    }

    /** It is, or it was until some moment between the last sweep that found it healthy and the next one. */
    private void wasLastHealthy(String id, JsonNode lastHealthyAt) {
        TreeMap<Instant, KnownHealth> sweeps = known.get(id);
        List<Instant> healthy = sweeps.keySet().stream()
                .filter(moment -> sweeps.get(moment).status().equals("healthy"))
                .toList();
        if (healthy.isEmpty()) {
            assertThat(lastHealthyAt.isNull()).as(id).isTrue();
        } else {
            Instant last = healthy.get(healthy.size() - 1);
            Instant next = sweeps.higherKey(last) == null ? last : sweeps.higherKey(last);
            assertThat(Instant.parse(lastHealthyAt.asText())).as(id).isBetween(last, next);
        }
    }

    private void isScored(SimulatedAgent agent, JsonNode score) {
        KnownHealth health = now(agent);
        String id = agent.agentId();
        assertThat(score.path("state").asText()).as(id).isEqualTo(health.scoreState());
        assertThat(score.path("health_status").asText()).as(id).isEqualTo(health.status());
        assertThat(score.path("lifecycle_status").asText()).as(id).isEqualTo(health.lifecycle());
        assertThat(score.path("executions").asLong()).as(id).isEqualTo(health.samples());
        isMeasured(id, score.path("calibration"), health);
        if (health.samples() == 0) {
            assertThat(score.path("score").isNull()).as(id).isTrue();
            return;
        }
        assertThat(score.path("score").asDouble()).as(id).isCloseTo(health.points(), within(0.0051));
        isScored(id, score, "reliability", health.reliability());
        isScored(id, score, "performance", health.performance());
        isScored(id, score, "stability", health.stability());
        isScored(id, score, "operational", health.operational());
        for (ErrorType type : ErrorType.values()) {
            assertThat(score.path("errors").path(type.wireName()).asLong())
                    .as(id + " " + type)
                    .isEqualTo(health.errors(type));
        }
        String source = agent.behaviour() == Behaviour.COORDINATED ? "coordinator" : "self";
        assertThat(score.path("samples").path(source).asLong()).as(id).isEqualTo(health.samples());
        assertThat(score.path("dimensions")
                        .path("operational")
                        .path("trigger_failures")
                        .asLong())
                .as(id)
                .isEqualTo(health.triggerFailures());
        assertThat(score.path("dimensions")
                        .path("reliability")
                        .path("confidence")
                        .asDouble())
                .as(id)
                .isCloseTo(Math.min(1, health.samples() / 20.0), within(1e-6));
    }

    private static void isScored(String id, JsonNode score, String dimension, double expected) {
        JsonNode shown = score.path("dimensions").path(dimension).path("score");
        assertThat(shown.asDouble(1)).as(id + " " + dimension).isCloseTo(expected, within(1e-6));
    }

    private void isSummedUp(JsonNode figures) {
        assertThat(Instant.parse(figures.path("as_of").asText())).isEqualTo(clock.instant());
        isSum(figures, fleet.agents());
        isGrouped(figures, "role", agent -> Declaration.role(agent.behaviour()));
        isGrouped(figures, "provider", agent -> Declaration.provider(agent.number()));
        isGrouped(figures, "platform", agent -> Declaration.platform(agent.number()));
    }

    private void isGrouped(JsonNode figures, String kind, Function<SimulatedAgent, String> name) {
        Map<String, List<SimulatedAgent>> groups = fleet.agents().stream().collect(Collectors.groupingBy(name));
        JsonNode shown = figures.path("groups").path(kind);
        groups.forEach((group, members) -> isSum(shown.path(group), members));
        assertThat(groups.keySet()).containsAll(names(shown));
    }

    private void isSum(JsonNode figures, List<SimulatedAgent> members) {
        List<KnownHealth> all = members.stream().map(this::now).toList();
        List<KnownHealth> present =
                all.stream().filter(health -> !health.isGone()).toList();
        List<KnownHealth> alive =
                present.stream().filter(health -> !health.isDead()).toList();
        List<KnownHealth> scored =
                present.stream().filter(health -> health.samples() > 0).toList();
        List<KnownHealth> counted = present.stream()
                .filter(health -> !health.isDead() || health.samples() > 0)
                .toList();
        assertThat(figures.path("agents").asLong()).isEqualTo(present.size());
        assertThat(figures.path("dead").asLong()).isEqualTo(present.size() - alive.size());
        assertThat(figures.path("inactive").asLong()).isEqualTo(counted.size() - scored.size());
        isJudged(figures.path("by_verdict"), members);
        if (scored.isEmpty()) {
            assertThat(figures.path("score").isNull()).isTrue();
        } else {
            double mean =
                    scored.stream().mapToDouble(KnownHealth::points).average().orElseThrow();
            assertThat(figures.path("score").asDouble()).isCloseTo(mean, within(0.0101));
        }
        isCounted(figures.path("by_state"), counted, KnownHealth::scoreState);
        isCounted(figures.path("by_health_status"), alive, KnownHealth::status);
        isCounted(figures.path("by_lifecycle_status"), all, KnownHealth::lifecycle);
        long healthy = present.stream()
                .filter(health -> health.status().equals("healthy"))
                .count();
        assertThat(figures.path("survival").path("total").asLong()).isEqualTo(present.size());
        assertThat(figures.path("survival").path("healthy").asLong()).isEqualTo(healthy);
        long down = present.stream()
                .filter(health -> health.status().equals("unhealthy"))
                .count();
        if (!present.isEmpty()) {
            assertThat(figures.path("survival").path("rate").asDouble())
                    .isCloseTo(1 - (double) down / present.size(), within(0.00005));
        }
    }

    private void isJudged(JsonNode shown, List<SimulatedAgent> members) {
        Map<String, Long> expected = members.stream()
                .filter(agent -> !now(agent).isGone())
                .collect(Collectors.groupingBy(agent -> now(agent).verdict(restarts(agent)), Collectors.counting()));
        assertThat(shown.path("blocked").asLong()).isZero();
        assertThat(shown.path("down").asLong()).isEqualTo(expected.getOrDefault("down", 0L));
        assertThat(shown.path("degraded").asLong()).isEqualTo(expected.getOrDefault("degraded", 0L));
        assertThat(shown.path("ok").asLong() + shown.path("unknown").asLong())
                .isEqualTo(expected.getOrDefault("ok or unknown", 0L));
    }

    /** The number of registrations again within the last hour, by the events on the bus. */
    private long restarts(SimulatedAgent agent) {
        return details("agent.lifecycle")
                .filter(detail -> detail.path("agent_id").asText().equals(agent.agentId()))
                .filter(detail -> detail.path("reason").asText().equals("re_registered"))
                .filter(detail -> Instant.parse(detail.path("timestamp").asText())
                        .isAfter(clock.instant().minus(Duration.ofHours(1))))
                .count();
    }

    private static void isCounted(JsonNode shown, List<KnownHealth> members, Function<KnownHealth, String> word) {
        Map<String, Long> expected = members.stream().collect(Collectors.groupingBy(word, Collectors.counting()));
        assertThat(names(shown)).containsAll(expected.keySet());
        for (String name : names(shown)) {
            assertThat(shown.path(name).asLong()).as(name).isEqualTo(expected.getOrDefault(name, 0L));
        }
    }

    private static List<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }

    private void aModelThatChangedShowsAsDecline() {
        SimulatedAgent declining = agents(Behaviour.DECLINING).get(0);
        JsonNode decay = coordinator
                .withoutKey()
                .get("/agents/" + declining.agentId() + "/.well-known/agent-health")
                .json()
                .path("decay");
        assertThat(decay.path("calibration_trend").asText()).isEqualTo("declining");
        assertThat(decay.path("days_since_model_change").asInt(-1)).isZero();
    }

    private void theHistoryIsWhatWasOnce() {
        for (SimulatedAgent agent : fleet.agents()) {
            JsonNode points = coordinator
                    .get("/api/v1/agents/" + agent.agentId() + "/health/history?from=" + begin)
                    .json()
                    .path("points");
            if (agent.behaviour() == Behaviour.FAST) {
                // The hours of 10, 11 and 12 o'clock, and the tenth execution, from which on the agent is healthy.
                assertThat(points).hasSize(4);
            }
            everyChangeIsAPoint(agent.agentId(), points.findValuesAsText("at"));
            for (JsonNode point : points) {
                String place = agent.agentId() + " at " + point.path("at").asText();
                KnownHealth then = known.get(agent.agentId())
                        .get(Instant.parse(point.path("at").asText()));
                assertThat(point.path("state").asText()).as(place).isEqualTo(then.scoreState());
                assertThat(point.path("response_ratio").asDouble())
                        .as(place)
                        .isCloseTo(then.responseRatio(), within(1e-6));
                isClose(place, point.path("latency_p50_ms").asDouble(), then.latency(50));
                isClose(place, point.path("latency_p99_ms").asDouble(), then.latency(99));
                if (then.samples() > 0) {
                    assertThat(point.path("score").asDouble()).as(place).isCloseTo(then.points(), within(0.0051));
                }
            }
        }
    }

    /** The sweep may mark an agent after the measurement beside it has begun, so that the next one finds the change. */
    private void everyChangeIsAPoint(String id, List<String> points) {
        KnownHealth before = null;
        for (Map.Entry<Instant, KnownHealth> minute : known.get(id).entrySet()) {
            KnownHealth then = minute.getValue();
            boolean changed = before != null
                    && !then.isGone()
                    && !(then.status().equals(before.status())
                            && then.scoreState().equals(before.scoreState()));
            if (changed) {
                assertThat(points)
                        .as(id)
                        .containsAnyOf(
                                Timestamps.text(minute.getKey()),
                                Timestamps.text(minute.getKey().plus(MINUTE)));
            }
            before = then;
        }
    }

    private void everyChangeWasPublished() {
        for (SimulatedAgent agent : fleet.agents()) {
            String id = agent.agentId();
            assertThat(published(id, "agent.health", "status"))
                    .as(id)
                    .isEqualTo(knownEvents.get(id).health());
            assertThat(published(id, "agent.score", "state"))
                    .as(id)
                    .isEqualTo(knownEvents.get(id).score());
        }
        assertThat(published(agents(Behaviour.DECLINING).get(0).agentId(), "agent.health", "status"))
                .last()
                .asString()
                .endsWith("healthy -> degraded, verify again");
        assertThat(details("agent.health")
                        .filter(detail -> detail.path("role_id").asText().equals(Declaration.role(Behaviour.PERSONAL))))
                .isNotEmpty()
                .noneMatch(detail -> detail.has("calibration") || detail.has("last_healthy_at"));
    }

    private List<String> published(String agentId, String type, String what) {
        return details(type)
                .filter(detail -> detail.path("agent_id").asText().equals(agentId))
                .sorted((one, other) -> Long.compare(
                        one.path("sequence").asLong(), other.path("sequence").asLong()))
                .map(detail -> KnownEvents.text(
                        Instant.parse(detail.path("timestamp").asText()),
                        detail.path("previous_" + what).asText(),
                        detail.path("new_" + what).asText(),
                        detail.path("calibration_anchor")
                                .path("reverification")
                                .asText()
                                .equals("required")))
                .toList();
    }

    private void whatWasSentTwiceCountedOnce() {
        for (SimulatedAgent agent : agents(Behaviour.REPEATING)) {
            // Of the batch that was sent last, the answer may have been lost only a moment ago.
            int batches = agent.reports().sent().size();
            assertThat(agent.reports().repeats()).isGreaterThan(50).isBetween(batches - 1, batches);
        }
    }
}
