package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.availability.AvailabilityState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists, pools, metrics and the health of the system, which the page and the command line show, have the same numbers whatever happened before. */
@Tag("slow")
class SameNumbersTest {

    private static final List<String> ROLES = List.of("r1", "r2", "r3");
    private static final int OPERATIONS = 500;
    private static final int CHECKED_EVERY = 25;

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final List<TestAgent> agents = IntStream.range(0, 12)
            .mapToObj(i -> new TestAgent(harness.system(), "agent-" + i))
            .toList();

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void after_500_operations_all_numbers_agree(long seed) {
        harness.startAfresh();
        Random random = new Random(seed);
        Map<Verdict, Long> seen = new HashMap<>();
        for (int i = 1; i <= OPERATIONS; i++) {
            operate(random, agents.get(random.nextInt(agents.size())));
            if (i % CHECKED_EVERY == 0) {
                check("after " + i + " operations of seed " + seed, seen);
            }
        }
        assertThat(seen).containsKeys(Verdict.OK, Verdict.UNKNOWN, Verdict.DEGRADED, Verdict.DOWN, Verdict.BLOCKED);
        assertThat(seen).as("dismissed, deregistered, and dead for 30 days").containsKey(Verdict.GONE);
    }

    private void operate(Random random, TestAgent agent) {
        switch (random.nextInt(15)) {
            case 0, 1, 2 ->
                harness.system()
                        .api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"%s\",\"role_id\":\"%s\"%s}"
                                .formatted(
                                        agent.id(), ROLES.get(random.nextInt(ROLES.size())), SweepHarness.SHORT_LIVED))
                        .send();
            case 3, 4, 5 -> agent.sendHeartbeat();
            case 6 -> agent.deregister();
            case 7 -> {
                if (isDead(agent)) {
                    agent.dismiss("");
                }
            }
            case 8 -> decide(agent, "block");
            case 9, 10 -> decide(agent, "unblock");
            case 11, 12 -> harness.passTime(15);
            case 13 -> {
                if (random.nextInt(3) == 0) {
                    later(Duration.ofMinutes(61));
                }
            }
            default -> {
                if (random.nextInt(8) == 0) {
                    later(Duration.ofDays(16));
                }
            }
        }
    }

    /** After an outage, silence counts from its end. */
    private void later(Duration time) {
        harness.system().clock().advance(time);
        harness.sweep();
        harness.passTime(3 * SweepHarness.TICK);
    }

    private boolean isDead(TestAgent agent) {
        JsonNode record = get("/api/v1/agents/" + agent.id(), Map.of());
        return record.path("status").asText().equals(LifecycleStatus.DEAD.wireName());
    }

    private void decide(TestAgent agent, String decision) {
        harness.system()
                .api()
                .post("/v1/admin/agents/" + agent.id() + "/" + decision)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{}")
                .send();
    }

    private void check(String when, Map<Verdict, Long> seen) {
        harness.sweep();
        harness.sweep();
        JsonNode health = get("/api/v1/health", Map.of());
        String metrics = harness.system()
                .api()
                .get("/metrics")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .text();
        long sum = 0;
        for (Verdict verdict : Verdict.values()) {
            long listed = listed(Map.of("verdict", verdict.wireName()));
            seen.merge(verdict, listed, Long::sum);
            seen.remove(verdict, 0L);
            if (verdict == Verdict.GONE) {
                assertThat(health.path("by_verdict").has("gone")).isFalse();
                continue;
            }
            sum += listed;
            assertThat(health.path("by_verdict").path(verdict.wireName()).asLong())
                    .as("%s %s", verdict, when)
                    .isEqualTo(listed);
            assertThat(metrics)
                    .as(when)
                    .contains(
                            "agent_health_agents_by_verdict{verdict=\"%s\"} %d".formatted(verdict.wireName(), listed));
            for (String role : ROLES) {
                assertThat(health.at("/groups/role/" + role + "/by_verdict/" + verdict.wireName())
                                .asLong())
                        .as("%s of %s %s", verdict, role, when)
                        .isEqualTo(listed(Map.of("verdict", verdict.wireName(), "role_id", role)));
            }
        }
        assertThat(health.path("agents").asLong()).as(when).isEqualTo(sum);
        checkAvailability(when);
        for (String role : ROLES) {
            assertThat(poolOf(role)).as("%s %s", role, when).isEqualTo(groupOf(health, role));
        }
    }

    /** The availability of each agent ends with the state of its verdict. */
    private void checkAvailability(String when) {
        // A state that has just begun has no length yet.
        harness.system().clock().advanceSeconds(1);
        for (Verdict verdict : Verdict.values()) {
            get("/api/v1/agents", Map.of("verdict", verdict.wireName(), "limit", "1000"))
                    .path("agents")
                    .forEach(row -> {
                        String id = row.path("agent_id").asText();
                        JsonNode availability = get("/api/v1/agents/" + id + "/availability", Map.of());
                        JsonNode intervals = availability.path("intervals");
                        assertThat(intervals
                                        .path(intervals.size() - 1)
                                        .path("state")
                                        .asText())
                                .as("%s is %s %s: %s", id, verdict, when, availability)
                                .isEqualTo(AvailabilityState.of(verdict).wireName());
                    });
        }
    }

    /** The members of a pool by status that are not deregistered. */
    private Map<String, Long> poolOf(String role) {
        Map<String, Long> members = new TreeMap<>();
        get("/api/v1/pools/" + role, Map.of())
                .path("by_status")
                .properties()
                .forEach(status -> members.put(
                        status.getKey(), status.getValue().path("members").asLong()));
        return counted(members);
    }

    private static Map<String, Long> groupOf(JsonNode health, String role) {
        Map<String, Long> members = new TreeMap<>();
        health.at("/groups/role/" + role + "/by_lifecycle_status")
                .properties()
                .forEach(
                        status -> members.put(status.getKey(), status.getValue().asLong()));
        return counted(members);
    }

    private static Map<String, Long> counted(Map<String, Long> members) {
        members.remove("deregistered");
        members.values().removeIf(number -> number == 0);
        return members;
    }

    private long listed(Map<String, String> filters) {
        Map<String, String> all = new HashMap<>(filters);
        all.put("limit", "1000");
        return get("/api/v1/agents", all).path("agents").size();
    }

    private JsonNode get(String path, Map<String, String> query) {
        TestApi.Request request = harness.system().api().get(path).key(TestSystem.ADMINISTRATOR_KEY);
        query.forEach(request::query);
        return request.send().json();
    }
}
