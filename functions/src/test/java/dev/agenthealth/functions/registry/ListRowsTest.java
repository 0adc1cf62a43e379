package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.BlockedAgents;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.Tries;
import dev.agenthealth.model.health.HealthStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** Rows of lists are shown from what the list reads, and equal what the records of single agents say. */
@Tag("R16-22")
class ListRowsTest {

    private static final String ALL = "active,draining,unhealthy,dead,deregistered";

    /** What happens to an agent. */
    private enum Step {
        REGISTER,
        REPLACE,
        CHANGE,
        CHANGE_TO_LONG,
        HEARTBEAT,
        DRAIN,
        DRAIN_AGAIN,
        SILENCE,
        DEREGISTER,
        ARCHIVE,
        MEASURE,
        BLOCK
    }

    private record Action(String agentId, Step step, int number) {}

    private TestSystem system;
    private RegistryClient client;

    @BeforeTry
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @AfterTry
    void close() {
        system.close();
    }

    @Provide
    static Arbitrary<List<Action>> actions() {
        return Combinators.combine(
                        Arbitraries.of("a", "b", "c"),
                        Arbitraries.of(Step.class),
                        Arbitraries.integers().between(1, 9))
                .as(Action::new)
                .list()
                .ofMinSize(5)
                .ofMaxSize(25);
    }

    @Tries(72)
    @Property
    void a_list_equals_what_single_reads_say(@ForAll("actions") List<Action> actions) {
        for (String id : List.of("a", "b", "c")) {
            take(new Action(id, Step.REGISTER, 1));
        }
        for (int i = 0; i < actions.size(); i++) {
            take(actions.get(i));
            if (i % 4 != 3 && i != actions.size() - 1) {
                continue;
            }
            Map<String, JsonNode> expected = new TreeMap<>();
            for (String id : List.of("a", "b", "c")) {
                new AgentStore(system.database()).find(id).ifPresent(agent -> expected.put(id, row(agent)));
            }
            assertThat(rows(Map.of("status", ALL)))
                    .as("after %s", actions.subList(0, i + 1))
                    .isEqualTo(expected);
            Map<String, JsonNode> ofRole = new TreeMap<>(expected);
            ofRole.values().removeIf(row -> !row.path("role_id").asText().equals("role-1"));
            assertThat(rows(Map.of("status", ALL, "role_id", "role-1"))).isEqualTo(ofRole);
        }
    }

    @Example
    void a_list_reads_rows_and_blocks_only() {
        for (int i = 0; i < 20; i++) {
            client.newAgent(
                    """
                    ,"role_id":"r","name":"n","capabilities":["c"]\
                    """);
        }
        assertThat(cost(Map.of())).containsExactly("Query", "Scan");
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(20 * 0.1 + 0.5);
        assertThat(cost(Map.of("role_id", "r")))
                .as("blocks, tags, rows")
                .containsExactly("Query", "Query", "BatchGetItem");
        assertThat(system.meter().readUnits()).isLessThanOrEqualTo(20 * 0.5 + 1.5);
        assertThat(cost(Map.of("status", "unhealthy")))
                .as("few agents are in other statuses: they are found by the index")
                .doesNotContain("Scan");
    }

    @Example
    void a_row_stays_readable_alone_through_every_change_of_status() {
        TestAgent agent = client.newAgent(",\"name\":\"n\"");
        agent.becomeUnhealthy();
        agent.sendHeartbeat();
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        assertThat(client.patchStatus(agent.id(), "*", "{\"status\":\"draining\",\"drain_timeout_seconds\":600}")
                        .status())
                .isEqualTo(200);
        assertThat(cost(Map.of("status", "active,draining,unhealthy"))).containsExactly("Query", "Scan");
        assertThat(rows(Map.of("status", "draining"))
                        .get(agent.id())
                        .path("name")
                        .asText())
                .isEqualTo("n");
    }

    private void take(Action action) {
        TestAgent agent = new TestAgent(system, action.agentId());
        String profile = ",\"name\":\"name " + action.number() + "\",\"role_id\":\"role-" + action.number() % 3
                + "\",\"capabilities\":[\"c" + action.number() + "\"],\"capacity\":{\"max_concurrent_tasks\":"
                + action.number() + "}";
        system.clock().advanceSeconds(1);
        switch (action.step()) {
            case REGISTER -> client.register("{\"agent_id\":\"" + agent.id() + "\"" + profile + "}");
            case REPLACE -> client.register("{\"agent_id\":\"" + agent.id() + "\",\"replace\":true" + profile + "}");
            case CHANGE -> agent.change("{" + profile.substring(1) + "}");
            case CHANGE_TO_LONG ->
                agent.change("{\"name\":\"" + "long".repeat(40) + "\",\"capabilities\":[\"" + "a".repeat(60) + "\",\""
                        + "b".repeat(60) + "\",\"" + "c".repeat(60) + "\"]}");
            case HEARTBEAT -> agent.sendHeartbeat("active", ",\"current_load\":" + action.number());
            case DRAIN -> agent.sendHeartbeat("draining", ",\"current_load\":1");
            case DRAIN_AGAIN ->
                client.patchStatus(
                        agent.id(),
                        "*",
                        "{\"status\":\"draining\",\"drain_timeout_seconds\":" + (900 + action.number()) + "}");
            case SILENCE -> {
                system.clock().advanceSeconds(91);
                agent.sweep();
            }
            case DEREGISTER -> agent.deregister();
            case ARCHIVE ->
                new AgentStore(system.database())
                        .find(agent.id())
                        .filter(found ->
                                !found.archived() && found.pulse().status().hasEnded())
                        .ifPresent(found -> {
                            agent.finishCleanUp();
                            assertThat(agent.archive()).isTrue();
                        });
            case MEASURE ->
                new AgentStore(system.database()).find(agent.id()).ifPresent(found -> new FleetScan(system.database())
                        .putHealth(
                                agent.id(),
                                found.pulse().incarnation(),
                                HealthStatus.values()[action.number() % HealthStatus.values().length],
                                action.number() % 3 == 0,
                                action.number() * 1_000));
            case BLOCK ->
                system.api()
                        .post("/v1/admin/agents/" + agent.id() + (action.number() % 2 == 0 ? "/block" : "/unblock"))
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send();
        }
    }

    /** The row of an agent as its record says. */
    private JsonNode row(StoredAgent agent) {
        ObjectNode row = AgentRecordJson.row(
                agent.listed(),
                BlockedAgents.now(system.database())
                        .facts(agent.listed(), system.clock().instant()));
        JsonNode record = client.get(TestSystem.ADMINISTRATOR_KEY, agent.pulse().agentId())
                .json();
        AgentRecordJson.item(agent.listed()).fieldNames().forEachRemaining(field -> assertThat(record.get(field))
                .as(field)
                .isEqualTo(sent(row).get(field)));
        assertThat(record.at("/capacity/max_concurrent_tasks").asInt(-1))
                .isEqualTo(agent.profile().maxConcurrentTasks());
        return sent(row);
    }

    private static JsonNode sent(JsonNode json) {
        return Json.received(Json.text(json));
    }

    private Map<String, JsonNode> rows(Map<String, String> query) {
        Map<String, JsonNode> rows = new TreeMap<>();
        for (JsonNode page : client.pages(TestSystem.COORDINATOR_KEY, RegistryClient.AGENTS, query)) {
            page.get("agents")
                    .forEach(row -> assertThat(rows.put(row.get("agent_id").asText(), row))
                            .isNull());
        }
        return rows;
    }

    private List<String> cost(Map<String, String> query) {
        client.list(query);
        system.meter().reset();
        assertThat(client.list(query).status()).isEqualTo(200);
        return system.meter().operations();
    }
}
