package dev.agenthealth.functions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestJson;
import dev.agenthealth.testkit.TestTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What must be the same after a day with faults and after the same day without: statuses, profiles, leases, counts of outcomes, blocks, verdicts,
 * open problems, and what was set up and audited. Times, versions, incarnations and generated ids may differ.
 */
final class State {

    private final FaultySystem system;

    State(FaultySystem system) {
        this.system = system;
    }

    /** The facts by what they are about. */
    Map<String, String> facts() {
        List<String> agents = new ArrayList<>();
        system.system().tables().dynamoDb().scan(r -> r.tableName(TestTables.PULSES)).items().stream()
                .map(row -> row.get("id").s())
                .filter(id -> !id.startsWith("canary-"))
                .sorted()
                .forEach(agents::add);
        Map<String, String> facts = factsOf(agents);
        facts.put(
                "leases",
                list(
                        "/api/v1/intents/intent/leases",
                        "leases",
                        lease -> lease.path("agent_id").asText() + "/"
                                + lease.path("scope").asText()));
        facts.put(
                "problems",
                StreamSupport.stream(read("/api/v1/problems").path("problems").spliterator(), false)
                        .map(problem -> problem.path("kind").asText() + " "
                                + problem.path("agent_id").asText())
                        // They follow from how many calls of it were answered.
                        .filter(problem ->
                                !Set.of("health callee", "score callee").contains(problem))
                        .sorted()
                        .collect(Collectors.joining(", ")));
        facts.put("silences", list("/v1/admin/silences", "silences", silence -> silence.path("name")
                .asText()));
        facts.put(
                "hosts",
                list(
                        "/v1/admin/hosts",
                        "hosts",
                        host -> host.path("host").asText() + "="
                                + host.path("agent_id").asText()));
        JsonNode fleet = read("/api/v1/health");
        facts.put("fleet", fleet.path("agents") + " " + fleet.path("dead") + " " + fleet.path("by_lifecycle_status"));
        facts.put("audit", audit());
        return facts;
    }

    /** The facts about these agents. */
    Map<String, String> factsOf(List<String> agents) {
        Map<String, String> facts = new TreeMap<>();
        for (String id : agents) {
            JsonNode agent = read("/api/v1/agents/" + id);
            JsonNode health = read("/api/v1/agents/" + id + "/health");
            boolean isCalled = id.equals("callee");
            facts.put(id, agent.path("status").asText() + " " + agent.path("capabilities"));
            facts.put(
                    id + " outcomes",
                    isCalled
                            ? "by receipts"
                            : health.path("executions") + " " + health.path("errors") + " " + health.path("samples"));
            facts.put(id + " verdict", isCalled ? "by receipts" : verdict(health));
            facts.put(
                    id + " blocked",
                    read("/v1/trust/agents/" + id).path("blocked").asText());
        }
        return facts;
    }

    /** The verdict without restarts: a registration that is repeated counts as another one. */
    private static String verdict(JsonNode health) {
        JsonNode reasons = health.path("reasons");
        boolean restartsAlone = reasons.size() == 1 && reasons.path(0).asText().startsWith("The agent restarted");
        return restartsAlone ? "ok" : health.path("verdict").asText();
    }

    private String audit() {
        Set<String> entries = new TreeSet<>();
        items().values().stream()
                .filter(detail -> detail.path("type").asText().equals("audit.recorded"))
                .forEach(detail -> {
                    JsonNode object = detail.path("object");
                    String id = object.path("id").asText();
                    entries.add(detail.path("action").asText() + " " + (id.startsWith("key_") ? "key" : id));
                });
        return entries.toString();
    }

    private String list(String path, String name, Function<JsonNode, String> line) {
        return StreamSupport.stream(read(path).path(name).spliterator(), false)
                .map(line)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private JsonNode read(String path) {
        TestApi.Response response = system.request("GET", path, r -> r.key(TestSystem.ADMINISTRATOR_KEY))
                .orElseThrow();
        // 410 is the answer about the health of a deregistered agent.
        assertThat(response.status()).as(path + " " + response.text()).isIn(200, 410);
        return response.json();
    }

    /** The details of everything that is published, by their places in the table. */
    private Map<String, JsonNode> items() {
        Map<String, JsonNode> details = new HashMap<>();
        system.items().stream()
                .filter(item -> item.containsKey("detail"))
                .forEach(item -> details.put(
                        item.get("pk").s() + " " + item.get("sk").s(),
                        TestJson.read(item.get("detail").s())));
        return details;
    }

    /** Asserts that each stored event was delivered, under one id with one content, and nothing else was; returns their number. */
    long eventsAreDelivered() {
        Map<String, JsonNode> stored = new TreeMap<>();
        items().forEach((place, detail) -> {
            if (place.contains(" E#")) {
                assertThat(stored.put(detail.path("event_id").asText(), detail))
                        .as("another event with the id of " + detail)
                        .isNull();
            }
        });
        Set<String> missing = new HashSet<>(stored.keySet());
        for (JsonNode delivered : system.delivered()) {
            ObjectNode content = delivered.deepCopy();
            // Depends on when it is published.
            content.remove("in_maintenance");
            JsonNode original = stored.get(delivered.path("event_id").asText());
            assertThat(content.equals(State::compared, original))
                    .as("delivered is %s, stored %s", content, original)
                    .isTrue();
            missing.remove(delivered.path("event_id").asText());
        }
        assertThat(missing).as("events that were not delivered").isEmpty();
        return stored.size();
    }

    /** The emulated bus reads 1E+2 as 100.0. */
    private static int compared(JsonNode one, JsonNode other) {
        return one.isNumber() && other.isNumber()
                ? one.decimalValue().compareTo(other.decimalValue())
                : one.equals(other) ? 0 : 1;
    }

    /** Asserts that the events of each agent are numbered without a gap and each change of status follows from the one before. */
    void historiesAreWhole() {
        Map<String, TreeMap<Long, JsonNode>> byAgent = new TreeMap<>();
        items().values().stream()
                .filter(detail -> detail.has("sequence") && detail.has("agent_id"))
                .forEach(detail -> assertThat(
                                byAgent.computeIfAbsent(detail.path("agent_id").asText(), id -> new TreeMap<>())
                                        .put(detail.path("sequence").asLong(), detail))
                        .as("two events with the number of " + detail)
                        .isNull());
        byAgent.forEach((id, events) -> {
            assertThat(events.lastKey()).as("numbers of the events of " + id).isEqualTo(events.size());
            String status = "registering";
            for (JsonNode event : events.values()) {
                if (event.path("type").asText().equals("agent.lifecycle")) {
                    assertThat(event.path("previous_status").asText())
                            .as(event.toString())
                            .isEqualTo(status);
                    status = event.path("new_status").asText();
                }
            }
        });
    }

    /** How often each agent died of silence. */
    Map<String, Integer> deaths() {
        Map<String, Integer> deaths = new TreeMap<>();
        items().values().stream()
                .filter(detail -> detail.path("type").asText().equals("agent.lifecycle")
                        && detail.path("new_status").asText().equals("dead")
                        && detail.path("reason").asText().equals("heartbeat_timeout"))
                .forEach(detail -> deaths.merge(detail.path("agent_id").asText(), 1, Integer::sum));
        return deaths;
    }

    /** Asserts that every invocation of an agent ended, and that its counts are those of the receipts. */
    void invocationsEnded(String agentId) {
        Map<String, Integer> ends = new TreeMap<>();
        system.items().stream().filter(item -> item.get("sk").s().equals("Z")).forEach(item -> {
            ends.merge(item.get("st").s(), 1, Integer::sum);
            assertThat(item.containsKey("n")).as("counted: " + item).isTrue();
        });
        assertThat(ends.keySet()).isSubsetOf("succeeded", "failed");
        JsonNode record = read("/v1/health/agents/" + agentId);
        assertThat(record.path("success_count").asInt()).isEqualTo(ends.getOrDefault("succeeded", 0));
        assertThat(record.path("failure_count").asInt()).isLessThanOrEqualTo(ends.getOrDefault("failed", 0));
    }
}
