package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Registrations that replace a live agent: its process was restarted (RFC-0016 §3.3, §8.1). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-06")
class ReplacementTest {

    private static final String REPLACE = ",\"replace\":true";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final RegistryClient client = new RegistryClient(system);

    private enum Live {
        ACTIVE(agent -> agent.sendHeartbeat("active", ",\"current_load\":4,\"tasks_in_progress\":[\"t1\"]")),
        UNHEALTHY(TestAgent::becomeUnhealthy),
        DRAINING(agent -> agent.sendHeartbeat("draining", ",\"current_load\":1"));

        private final Consumer<TestAgent> enter;

        Live(Consumer<TestAgent> enter) {
            this.enter = enter;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R16-02")
    @Tag("R16-03")
    void a_live_agent_is_registered_anew_with_two_events(Live live) {
        TestAgent agent = client.newAgent(
                """
                        ,"role_id":"old-role","capabilities":["old-tag","kept-tag"],"name":"Old"\
                        """);
        JsonNode first = client.get(agent.id()).json();
        live.enter.accept(agent);
        Pulse before = agent.pulse();
        system.clock().advanceSeconds(10);

        Response response = client.register("{\"agent_id\":\"" + agent.id()
                + "\",\"role_id\":\"new-role\",\"capabilities\":[\"kept-tag\",\"new-tag\"]" + REPLACE + "}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        assertThat(response.header("ETag")).isEqualTo("\"1\"");
        JsonNode record = client.get(agent.id()).json();
        assertThat(record).isEqualTo(response.json());
        assertThat(record.get("status").textValue()).isEqualTo("active");
        assertThat(record.get("incarnation").intValue()).isEqualTo(2);
        assertThat(record.get("registered_at")).isEqualTo(first.get("registered_at"));
        assertThat(record.get("status_since").textValue())
                .isEqualTo(Timestamps.text(system.clock().instant()));
        assertThat(record.get("name").isNull()).isTrue();
        assertThat(record.get("tasks_in_progress")).isEmpty();
        assertThat(record.at("/capacity/current_load").intValue()).isZero();
        assertThat(record.has("drain_deadline")).isFalse();
        assertThat(record.has("replace")).isFalse();

        List<JsonNode> events = agent.events();
        List<JsonNode> two = events.subList(events.size() - 2, events.size());
        String was = before.status().wireName();
        assertThat(agent.changes()).endsWith(was + "->deregistered deregistered", "deregistered->active re_registered");
        assertThat(two)
                .extracting(event -> event.get("sequence").longValue())
                .containsExactly(before.sequence() + 1, before.sequence() + 2);
        assertThat(two).extracting(event -> event.get("incarnation").intValue()).containsExactly(1, 2);
        assertThat(two).extracting(event -> event.get("role_id").textValue()).containsExactly("old-role", "new-role");
        assertThat(two.get(0).get("capabilities").toString()).isEqualTo("[\"old-tag\",\"kept-tag\"]");
        agent.assertHistoryIsWhole(live.name());

        assertThat(client.listed(Map.of("capabilities", "new-tag"))).contains(agent.id());
        assertThat(client.listed(Map.of("capabilities", "old-tag"))).doesNotContain(agent.id());
        assertThat(client.listed(Map.of("role_id", "old-role"))).doesNotContain(agent.id());
    }

    @Test
    @Tag("R16-20")
    void a_pending_drain_is_not_inherited() {
        TestAgent agent = client.newAgent("");
        system.api()
                .post("/api/v1/agents/" + agent.id() + "/commands")
                .key(TestSystem.COORDINATOR_KEY)
                .body("{\"command\":\"drain\"}")
                .send();
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).hasSize(1);
        replace(agent);
        assertThat(agent.sendHeartbeat().json().get("pending_commands")).isEmpty();
    }

    @Test
    void an_id_that_is_unknown_or_gone_is_registered_as_without_it() {
        Response first = client.register("{\"agent_id\":\"" + client.newId() + "\"" + REPLACE + "}");
        assertThat(first.status()).isEqualTo(201);
        TestAgent agent = new TestAgent(system, first.json().get("agent_id").textValue());
        assertThat(agent.changes()).containsExactly("registering->active registered");
        agent.deregister();
        replace(agent);
        assertThat(agent.changes())
                .containsExactly(
                        "registering->active registered",
                        "active->deregistered deregistered",
                        "deregistered->active re_registered");
        agent.becomeDead();
        replace(agent);
        assertThat(agent.changes()).last().isEqualTo("dead->active re_registered");
        agent.assertHistoryIsWhole("registered, deregistered and dead");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"replace\":false", ",\"replace\":null"})
    @Tag("R16-07")
    void without_it_the_conflict_names_both_ways_out(String field) {
        TestAgent agent = client.newAgent("");
        Response refused = client.register("{\"agent_id\":\"" + agent.id() + "\"" + field + "}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("agent_exists");
        assertThat(refused.json().get("detail").textValue())
                .contains("is active")
                .contains("\"replace\": true")
                .contains("drain or deregister it first");
        assertThat(agent.events()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"true\"", "1", "{}"})
    void a_value_that_is_neither_true_nor_false_is_refused(String value) {
        TestAgent agent = client.newAgent("");
        Response refused = client.register("{\"agent_id\":\"" + agent.id() + "\",\"replace\":" + value + "}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("errors").findValuesAsText("field")).containsExactly("replace");
        assertThat(agent.pulse().incarnation()).isEqualTo(1);
    }

    @Test
    @Tag("R16-33")
    void only_the_owner_s_key_and_administrators_replace_and_the_owner_stays() {
        TestAgent agent = client.newAgent("");
        Owner owner = agent.pulse().owner();
        String body = "{\"agent_id\":\"" + agent.id() + "\"" + REPLACE + "}";
        for (String key : List.of(TestSystem.OTHER_AGENT_KEY, TestSystem.COORDINATOR_KEY)) {
            assertThat(client.register(key, body).status()).isEqualTo(403);
        }
        assertThat(agent.pulse().incarnation()).isEqualTo(1);
        assertThat(client.register(TestSystem.ADMINISTRATOR_KEY, body).status()).isEqualTo(201);
        assertThat(agent.pulse().owner()).as("the owner stays").isEqualTo(owner);
        assertThat(agent.sendHeartbeat("active", ",\"incarnation\":2").status()).isEqualTo(200);
    }

    @Test
    void a_repeated_request_replaces_again_and_its_answer_has_the_incarnation_that_counts() {
        TestAgent agent = client.newAgent("");
        assertThat(replace(agent).get("incarnation").intValue()).isEqualTo(2);
        assertThat(replace(agent).get("incarnation").intValue()).isEqualTo(3);
        assertThat(agent.sendHeartbeat("active", ",\"incarnation\":2").status()).isEqualTo(410);
        assertThat(agent.sendHeartbeat("active", ",\"incarnation\":3").status()).isEqualTo(200);
        agent.assertHistoryIsWhole("replaced twice");
    }

    @Test
    @Tag("R16-10")
    void a_heartbeat_of_the_old_process_is_refused() {
        TestAgent agent = client.newAgent("");
        assertThat(agent.sendHeartbeat("active", ",\"incarnation\":1").status()).isEqualTo(200);
        replace(agent);
        Response refused = agent.sendHeartbeat("active", ",\"incarnation\":1");
        assertThat(refused.status()).isEqualTo(410);
        assertThat(refused.json().get("error").textValue()).isEqualTo("superseded");
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }

    @Test
    void a_process_that_ends_cannot_deregister_or_drain_its_successor() {
        TestAgent agent = client.newAgent("");
        replace(agent);
        String path = "/api/v1/agents/" + agent.id();
        for (Request late : List.of(
                system.api().delete(path).query("incarnation", "1"),
                system.api()
                        .patch(path + "/status")
                        .header("if-match", "1")
                        .body("{\"status\":\"draining\",\"incarnation\":1}"),
                system.api()
                        .patch(path + "/status")
                        .header("if-match", "*")
                        .body("{\"status\":\"deregistered\",\"incarnation\":1}"))) {
            Response refused = late.key(TestSystem.AGENT_KEY).send();
            assertThat(refused.status()).isEqualTo(410);
            assertThat(refused.json().get("error").textValue()).isEqualTo("superseded");
        }
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        for (String wrong : List.of("0", "-1", "x", "1.5", "")) {
            assertThat(system.api()
                            .delete(path)
                            .key(TestSystem.AGENT_KEY)
                            .query("incarnation", wrong)
                            .send()
                            .status())
                    .as(wrong)
                    .isEqualTo(400);
        }
        for (int i = 0; i < 2; i++) {
            assertThat(system.api()
                            .delete(path)
                            .key(TestSystem.AGENT_KEY)
                            .query("incarnation", "2")
                            .send()
                            .status())
                    .as("repeated")
                    .isEqualTo(204);
        }
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    @Test
    void heartbeats_of_the_old_process_do_not_hinder_it() {
        TestAgent agent = client.newAgent("");
        AtomicInteger tries = new AtomicInteger();
        TestApi racing = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest transaction
                    && transaction.transactItems().stream()
                            .anyMatch(write -> write.put() != null
                                    && write.put().tableName().equals(TestTables.PULSES))) {
                tries.incrementAndGet();
                assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
            }
        }));
        assertThat(agent.register(racing, REPLACE).status()).isEqualTo(201);
        assertThat(tries).hasValue(1);
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
        assertThat(agent.pulse().heartbeatCount()).isZero();
        agent.assertHistoryIsWhole("a heartbeat between reading and writing");
    }

    @Test
    void it_is_one_transaction() {
        TestAgent agent =
                client.newAgent("""
                ,"role_id":"r","capabilities":["a","b"]\
                """);
        replace(agent);
        system.meter().reset();
        replace(agent);
        assertThat(system.meter().operations())
                .filteredOn(operation -> !operation.endsWith("Item"))
                .as("the transaction, and the leases that the agent may hold")
                .containsExactly("TransactWriteItems", "Query");
        assertThat(system.meter().writeUnits()).isLessThanOrEqualTo(30);
    }

    @Test
    @Tag("R16-11")
    void the_successor_is_watched_from_its_registration_on() {
        TestAgent agent = client.newAgent("");
        system.clock().advanceSeconds(80);
        replace(agent);
        system.clock().advanceSeconds(90);
        assertThat(agent.sweep()).isFalse();
        agent.becomeUnhealthy();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
    }

    private JsonNode replace(TestAgent agent) {
        Response response = client.register("{\"agent_id\":\"" + agent.id() + "\"" + REPLACE + "}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return response.json();
    }
}
