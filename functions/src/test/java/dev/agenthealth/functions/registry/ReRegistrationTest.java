package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Agents that register again with the same id (RFC-0016 §3.3, §8.1). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReRegistrationTest {

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @Test
    @Tag("R16-36")
    void a_record_sent_back_with_replace_registers_the_same_profile() {
        TestAgent agent = client.newAgent(
                """
                        ,"role_id":"r","name":"N","capacity":{"max_concurrent_tasks":5},\
                        "expectations":{"window_seconds":7200},"model":{"name":"m"},"metadata":{"k":1}\
                        """);
        client.patchProfile(agent.id(), "*", "{\"expectations\":{\"window_seconds\":7201}}");
        agent.sendHeartbeat("active", ",\"current_load\":2,\"tasks_in_progress\":[\"t\"]");
        agent.drain(system.api());
        ObjectNode record = (ObjectNode) client.get(agent.id()).json();
        assertThat(record.has("drain_deadline")).isTrue();
        assertThat(client.register(record.toString()).status())
                .as("without replace, a field that has no effect is a mistake")
                .isEqualTo(400);
        Response again = client.register(record.put("replace", true).toString());
        assertThat(again.status()).as(again.text()).isEqualTo(201);
        JsonNode registered = again.json();
        for (String kept : List.of(
                "agent_id",
                "role_id",
                "name",
                "capabilities",
                "heartbeat_config",
                "expectations",
                "model",
                "metadata")) {
            assertThat(registered.get(kept)).as(kept).isEqualTo(record.get(kept));
        }
        assertThat(registered.get("status").textValue()).isEqualTo("active");
        assertThat(registered.get("incarnation").intValue()).isEqualTo(2);
        Response typo = client.register(record.put("colour", "red").toString());
        assertThat(typo.json().path("errors").findValuesAsText("field")).containsExactly("colour");
    }

    @Test
    @Tag("R16-36")
    @Tag("AHM-07")
    void registering_again_without_expectations_or_model_keeps_those_that_are_there() {
        TestAgent agent = client.newAgent(
                """
                        ,"expectations":{"window_seconds":7200,"sla_ms":9},"model":{"name":"m","version":"1"}\
                        """);
        client.patchProfile(agent.id(), "*", "{\"model\":{\"version\":\"2\"}}");
        JsonNode before = client.get(agent.id()).json();
        assertThat(before.at("/model/changed_at").isTextual()).isTrue();
        system.clock().advanceSeconds(60);
        JsonNode again = agent.register(",\"replace\":true").json();
        for (String kept : List.of("expectations", "model", "measurement_restarted_at")) {
            assertThat(again.get(kept)).as(kept).isEqualTo(before.get(kept));
        }
        JsonNode partly = agent.register(",\"replace\":true,\"expectations\":{\"sla_ms\":10}")
                .json();
        assertThat(partly.get("expectations")).as("what is sent is complete").isEqualTo(Json.stored("{\"sla_ms\":10}"));
        assertThat(partly.get("model")).isEqualTo(before.get("model"));
        JsonNode cleared = agent.register(",\"replace\":true,\"expectations\":null,\"model\":null")
                .json();
        assertThat(cleared.get("expectations")).isEmpty();
        assertThat(cleared.at("/model/name").isNull()).isTrue();
    }

    @Test
    void a_start_out_of_bounds_is_a_warning_and_not_used() {
        TestAgent agent = client.newAgent("");
        JsonNode again = agent.register(",\"replace\":true,\"started_at\":\"1980-01-01T00:00:00Z\"")
                .json();
        assertThat(again.path("warnings").findValuesAsText("field")).containsExactly("started_at");
        assertThat(ProcessStart.isKnown(agent.pulse().startedAt())).isFalse();
        JsonNode back = agent.register(",\"replace\":true,\"warnings\":[]").json();
        assertThat(back.has("warnings")).isFalse();
    }

    /** States in which an agent may register again. */
    private enum Gone {
        DEAD,
        DEREGISTERED,
        DEAD_AND_ARCHIVED,
        DEREGISTERED_AND_ARCHIVED;

        void apply(TestAgent agent) {
            if (this == DEAD || this == DEAD_AND_ARCHIVED) {
                agent.becomeDead();
            } else {
                assertThat(agent.deregister().status()).isEqualTo(204);
            }
            if (this == DEAD_AND_ARCHIVED || this == DEREGISTERED_AND_ARCHIVED) {
                agent.finishCleanUp();
                assertThat(agent.archive()).isTrue();
                assertThat(agent.stored().archived()).isTrue();
            }
        }

        String wireName() {
            return name().split("_")[0].toLowerCase(Locale.ROOT);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R16-02")
    @Tag("R16-03")
    @Tag("R16-06")
    @Tag("R16-25")
    void a_registration_restores_the_record_with_a_new_incarnation(Gone gone) {
        TestAgent agent = client.newAgent(
                """
                        ,"role_id":"old-role","capabilities":["old","kept"],"capacity":{"max_concurrent_tasks":9},\
                        "metadata":{"a":1},"name":"Old"\
                        """);
        JsonNode first = client.get(agent.id()).json();
        agent.sendHeartbeat("active", ",\"current_load\":4,\"tasks_in_progress\":[\"t1\"]");
        system.clock().advanceSeconds(10);
        gone.apply(agent);
        Pulse before = agent.pulse();
        system.clock().advanceSeconds(10);

        Instant now = system.clock().instant();
        Response response = client.register(
                "{\"agent_id\":\"" + agent.id()
                        + "\",\"role_id\":\"new-role\",\"capabilities\":[\"kept\",\"new\"],\"capacity\":{\"max_concurrent_tasks\":3}}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        assertThat(response.header("ETag")).isEqualTo("\"1\"");
        JsonNode record = client.get(agent.id()).json();
        assertThat(record).isEqualTo(response.json());
        assertThat(record.get("status").textValue()).isEqualTo("active");
        assertThat(record.get("version").intValue()).isEqualTo(1);
        assertThat(record.get("incarnation").intValue()).isEqualTo(2);
        assertThat(record.get("registered_at")).isEqualTo(first.get("registered_at"));
        assertThat(record.get("last_heartbeat_at").textValue()).isEqualTo(Timestamps.text(now));
        assertThat(record.get("status_since").textValue()).isEqualTo(Timestamps.text(now));
        assertThat(record.get("role_id").textValue()).isEqualTo("new-role");
        assertThat(record.get("name").isNull()).isTrue();
        assertThat(record.get("metadata")).isEmpty();
        assertThat(record.get("tasks_in_progress")).isEmpty();
        assertThat(record.get("capacity").get("current_load").intValue()).isZero();
        assertThat(record.get("capacity").get("max_concurrent_tasks").intValue())
                .isEqualTo(3);

        assertThat(agent.stored().archived()).isFalse();
        assertThat(agent.pulse().cleanUp().through())
                .as("an unfinished clean-up stays pending")
                .isEqualTo(before.cleanUp().through());
        assertThat(agent.changes()).last().isEqualTo(gone.wireName() + "->active re_registered");
        agent.assertHistoryIsWhole(gone.name());
        JsonNode event = agent.events().get(agent.events().size() - 1);
        assertThat(event.get("agent_id").textValue()).isEqualTo(agent.id());
        assertThat(event.get("role_id").textValue()).isEqualTo("new-role");
        assertThat(event.get("incarnation").intValue()).isEqualTo(2);
        assertThat(event.get("sequence").longValue()).isEqualTo(before.sequence() + 1);

        assertThat(client.listed(Map.of("capabilities", "new"))).contains(agent.id());
        assertThat(client.listed(Map.of("capabilities", "kept", "role_id", "new-role")))
                .contains(agent.id());
        assertThat(client.listed(Map.of("capabilities", "old"))).doesNotContain(agent.id());
        assertThat(client.listed(Map.of("role_id", "old-role"))).doesNotContain(agent.id());
        assertThat(client.listed(Map.of("status", "dead,deregistered"))).doesNotContain(agent.id());
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R16-06")
    @Tag("R16-33")
    void only_the_same_key_or_an_administrator_may_register_again(Gone gone) {
        TestAgent agent = client.newAgent("");
        gone.apply(agent);
        String body = "{\"agent_id\":\"" + agent.id() + "\"}";
        for (String key : List.of(TestSystem.OTHER_AGENT_KEY, TestSystem.COORDINATOR_KEY)) {
            Response refused = client.register(key, body);
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.json().get("error").textValue()).isEqualTo("forbidden");
        }
        assertThat(agent.pulse().status().wireName()).isEqualTo(gone.wireName());
        assertThat(client.register(TestSystem.ADMINISTRATOR_KEY, body).status()).isEqualTo(201);
        assertThat(agent.pulse().owner())
                .as("the owner does not change")
                .isEqualTo(new Owner("key-" + TestSystem.AGENT_KEY, KeyHash.ofKey(TestSystem.AGENT_KEY)));
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        agent.assertHistoryIsWhole(gone.name());
    }

    @Test
    @Tag("R16-06")
    @Tag("R16-36")
    void repeated_registrations_count_incarnations_and_continue_the_event_numbers() {
        TestAgent agent = client.newAgent("");
        for (int i = 2; i <= 5; i++) {
            Gone.values()[i % 4].apply(agent);
            assertThat(agent.register("").status()).isEqualTo(201);
            assertThat(agent.pulse().incarnation()).isEqualTo(i);
            assertThat(agent.pulse().version()).isEqualTo(1);
        }
        agent.assertHistoryIsWhole("after five incarnations");
    }

    @Test
    @Tag("R16-06")
    void an_agent_whose_tombstone_expired_registers_as_a_new_agent() {
        TestAgent agent = client.newAgent(",\"capabilities\":[\"forgotten\"]");
        Gone.DEREGISTERED_AND_ARCHIVED.apply(agent);
        system.clock().advance(Duration.ofDays(401));
        removeEvents(agent.id());
        assertThat(client.get(agent.id()).status()).isEqualTo(404);
        assertThat(client.listed(Map.of("status", "deregistered"))).doesNotContain(agent.id());
        Response response = client.register(TestSystem.OTHER_AGENT_KEY, "{\"agent_id\":\"" + agent.id() + "\"}");
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.json().get("incarnation").intValue()).isEqualTo(1);
        assertThat(response.json().get("registered_at").textValue())
                .isEqualTo(Timestamps.text(system.clock().instant()));
        assertThat(client.get(TestSystem.OTHER_AGENT_KEY, agent.id()).json()).isEqualTo(response.json());
    }

    @Test
    @Tag("AHS-11")
    void a_registration_with_the_same_capabilities_and_model_keeps_their_dates() {
        String profile =
                """
                ,"capabilities":["a","c"],"model":{"name":"m","version":"1"}\
                """;
        TestAgent agent = client.newAgent(profile);
        Instant registered = system.clock().instant();
        agent.deregister();
        system.clock().advanceSeconds(60);
        String reordered = profile.replace("\"a\",\"c\"", "\"c\",\"a\"");
        assertThat(client.register("{\"agent_id\":\"" + agent.id() + "\"" + reordered + "}")
                        .status())
                .isEqualTo(201);
        assertThat(agent.stored().profile().agentInterface().updatedAt()).isEqualTo(registered);
        assertThat(agent.stored().profile().basis().model().hasChangeDate()).isFalse();

        agent.deregister();
        Response changed = client.register("{\"agent_id\":\"" + agent.id() + "\""
                + profile.replace("\"1\"", "\"2\"").replace("\"a\"", "\"b\"") + "}");
        String now = Timestamps.text(system.clock().instant());
        assertThat(changed.json().get("model").get("changed_at").textValue()).isEqualTo(now);
        assertThat(agent.stored().profile().agentInterface().updatedAt())
                .isEqualTo(system.clock().instant());
    }

    /** Deletes the agent's expired events as DynamoDB's time to live does. */
    private void removeEvents(String agentId) {
        events(agentId).forEach(item -> system.dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY)
                .key(Map.of("pk", item.get("pk"), "sk", item.get("sk")))));
    }

    private List<Map<String, AttributeValue>> events(String agentId) {
        return system.dynamoDb()
                .query(r -> r.tableName(TestTables.REGISTRY)
                        .keyConditionExpression("pk = :pk AND begins_with(sk, :e)")
                        .expressionAttributeValues(
                                Map.of(":pk", AttributeValue.fromS("A#" + agentId), ":e", AttributeValue.fromS("E#"))))
                .items();
    }
}
