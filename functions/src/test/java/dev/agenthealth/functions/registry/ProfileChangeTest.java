package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Changes of an agent's profile. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProfileChangeTest {

    private static final String FULL =
            """
            ,"kind":"mcp_server","role_id":"r","name":"N","capabilities":["a","b"],"capacity":{"max_concurrent_tasks":5},
            "endpoint":"https://x.example/","a2a_version":"1.0","a2a_binding":"HTTP+JSON","heartbeat_config":{"interval_seconds":10,"unhealthy_after_seconds":25,
            "dead_after_seconds":60},"metadata":{"k":{"l":1}},"agent_uri":"did:wba:x","provider_id":"p","platform":"f",
            "personal":true,"model":{"name":"m","version":"1","changed_at":"2026-01-01T00:00:00.000Z"},
            "expectations":{"success_rate":0.9,"sla_ms":100}
            """;

    private static final String RESTARTED = "measurement_restarted_at";

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                                  | {}",
                "{\"name\":\"M\"}                                    | {\"name\":\"M\"}",
                "{\"name\":null}                                     | {\"name\":null}",
                "{\"kind\":\"agent\"}                                  | {\"kind\":\"agent\"}",
                "{\"kind\":null}                                     | {\"kind\":\"agent\"}",
                "{\"capabilities\":[\"c\"]}                          | {\"capabilities\":[\"c\"]}",
                "{\"capabilities\":null}                             | {\"capabilities\":[]}",
                "{\"endpoint\":null}                                 | {\"endpoint\":null}",
                "{\"a2a_version\":\"0.3\"}                         | {\"a2a_version\":\"0.3\"}",
                "{\"a2a_version\":null}                              | {\"a2a_version\":\"0.3\"}",
                "{\"a2a_binding\":\"JSONRPC\"}                     | {\"a2a_binding\":\"JSONRPC\"}",
                "{\"a2a_binding\":null}                              | {\"a2a_binding\":\"JSONRPC\"}",
                "{\"metadata\":{\"n\":2}}                            | {\"metadata\":{\"n\":2}}",
                "{\"metadata\":null}                                 | {\"metadata\":{}}",
                "{\"agent_uri\":null,\"provider_id\":null,\"platform\":null} | {\"agent_uri\":null,\"provider_id\":null,\"platform\":null}",
                "{\"personal\":false}                                | {\"personal\":false}",
                "{\"personal\":null}                                 | {\"personal\":false}",
                "{\"capacity\":{\"max_concurrent_tasks\":8}}         | {\"capacity\":{\"max_concurrent_tasks\":8,\"current_load\":0}}",
                "{\"capacity\":{\"current_load\":4}}                 | {}",
                "{\"capacity\":{}}                                   | {}",
                "{\"capacity\":{\"max_concurrent_tasks\":null}}      | {\"capacity\":{\"max_concurrent_tasks\":null,\"current_load\":0}}",
                "{\"capacity\":null}                                 | {\"capacity\":{\"max_concurrent_tasks\":null,\"current_load\":0}}",
                "{\"heartbeat_config\":{\"interval_seconds\":12}}    | {\"heartbeat_config\":{\"interval_seconds\":12,\"unhealthy_after_seconds\":25,\"dead_after_seconds\":60}}",
                "{\"heartbeat_config\":{\"dead_after_seconds\":null}} | {\"heartbeat_config\":{\"interval_seconds\":10,\"unhealthy_after_seconds\":25,\"dead_after_seconds\":300}}",
                "{\"heartbeat_config\":null}                         | {\"heartbeat_config\":{\"interval_seconds\":30,\"unhealthy_after_seconds\":90,\"dead_after_seconds\":300}}",
                "{\"expectations\":{\"sla_ms\":200,\"runtime_ms\":1.5}} | {\"expectations\":{\"success_rate\":0.9,\"runtime_ms\":1.5,\"sla_ms\":200}}",
                "{\"expectations\":{\"sla_ms\":null}}                | {\"expectations\":{\"success_rate\":0.9}}",
                "{\"expectations\":null}                             | {\"expectations\":{}}",
                "{\"model\":{\"name\":\"m\"}}                        | {}",
                "{\"model\":{\"version\":\"2\"}}                     | {\"model\":{\"name\":\"m\",\"version\":\"2\",\"changed_at\":\"NOW\"}}",
                "{\"model\":{\"version\":\"2\",\"changed_at\":\"2026-02-01T00:00:00.000Z\"}} | {\"model\":{\"name\":\"m\",\"version\":\"2\",\"changed_at\":\"2026-02-01T00:00:00.000Z\"}}",
                "{\"model\":null}                                    | {\"model\":{\"name\":null,\"version\":null,\"changed_at\":null}}"
            })
    @Tag("R16-01")
    void given_fields_change_and_null_clears_a_field(String change, String changed) {
        TestAgent agent = client.newAgent(FULL);
        ObjectNode expected = (ObjectNode) client.get(agent.id()).json();
        Instant now = system.clock().instant();
        expected.setAll((ObjectNode) Json.stored(changed.replace("NOW", Timestamps.text(now))));
        int version = changed.equals("{}") ? 1 : 2;
        expected.put("version", version);
        Response response = client.patchProfile(agent.id(), "\"1\"", change);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.header("ETag")).isEqualTo("\"" + version + "\"");
        boolean otherModel = changed.contains("\"model\"");
        assertThat(comparable(response.json(), otherModel)).isEqualTo(expected);
        assertThat(comparable(client.get(agent.id()).json(), otherModel)).isEqualTo(expected);
        assertThat(agent.changes())
                .as("a profile change is no change of status")
                .hasSize(1);
    }

    /** The record without the declaration, which another model changes. */
    private static JsonNode comparable(JsonNode record, boolean otherModel) {
        assertThat(record.path("declaration").isNull()).isEqualTo(!otherModel);
        return ((ObjectNode) record).putNull("declaration");
    }

    @Test
    @Tag("AHM-07")
    void a_change_of_the_window_reports_that_the_measurement_restarted() {
        TestAgent agent = client.newAgent(",\"expectations\":{\"window_seconds\":3600}");
        assertThat(client.get(agent.id()).json().has(RESTARTED)).isFalse();
        Response kept =
                client.patchProfile(agent.id(), "*", "{\"expectations\":{\"window_seconds\":3600,\"sla_ms\":9}}");
        assertThat(kept.json().has(RESTARTED)).isFalse();
        String now = Timestamps.text(system.clock().instant().truncatedTo(ChronoUnit.SECONDS));
        Response changed = client.patchProfile(agent.id(), "*", "{\"expectations\":{\"window_seconds\":3601}}");
        assertThat(changed.json().path(RESTARTED).textValue()).isEqualTo(now);
        system.clock().advanceSeconds(5);
        assertThat(client.patchProfile(agent.id(), "*", "{\"name\":\"n\"}")
                        .json()
                        .path(RESTARTED)
                        .textValue())
                .isEqualTo(now);
        assertThat(client.get(agent.id()).json().path(RESTARTED).textValue()).isEqualTo(now);
        agent.deregister();
        assertThat(agent.register("").json().path(RESTARTED).textValue())
                .as("the expectations stay")
                .isEqualTo(now);
        agent.deregister();
        assertThat(agent.register(",\"expectations\":null")
                        .json()
                        .path(RESTARTED)
                        .textValue())
                .isEqualTo(Timestamps.text(system.clock().instant().truncatedTo(ChronoUnit.SECONDS)));
    }

    @Test
    @Tag("R16-01")
    void the_sweep_and_discovery_use_changed_capacity_and_thresholds() {
        TestAgent agent = client.newAgent(",\"capabilities\":[\"reach\"]");
        assertThat(client.listed(Map.of("capabilities", "reach", "min_available_capacity", "1")))
                .isEmpty();
        agent.sendHeartbeat("active", ",\"current_load\":2");
        client.patchProfile(
                agent.id(),
                "*",
                """
                        {"capacity":{"max_concurrent_tasks":5},"heartbeat_config":{"interval_seconds":1,\
                        "unhealthy_after_seconds":2,"dead_after_seconds":4}}\
                        """);
        assertThat(agent.pulse().workload().maxConcurrentTasks()).isEqualTo(5);
        assertThat(agent.pulse().workload().load()).isEqualTo(2);
        assertThat(client.listed(Map.of("capabilities", "reach", "min_available_capacity", "3")))
                .hasSize(1);
        assertThat(client.listed(Map.of("capabilities", "reach", "min_available_capacity", "4")))
                .isEmpty();
        system.clock().advanceSeconds(3);
        assertThat(agent.sweep()).as("silent for longer than its new threshold").isTrue();
        client.patchProfile(agent.id(), "*", "{\"capacity\":null}");
        assertThat(agent.pulse().workload().maxConcurrentTasks()).isEqualTo(Workload.NOT_DECLARED);
        assertThat(agent.pulse().status().wireName()).isEqualTo("unhealthy");
    }

    @Test
    @Tag("R16-22")
    void discovery_uses_changed_capabilities() {
        TestAgent agent = client.newAgent(
                """
                ,"role_id":"mover","capabilities":["leave","stay"]\
                """);
        client.patchProfile(agent.id(), "1", "{\"capabilities\":[\"stay\",\"come\"]}");
        assertThat(client.listed(Map.of("capabilities", "leave"))).isEmpty();
        assertThat(client.listed(Map.of("capabilities", "stay"))).containsExactly(agent.id());
        assertThat(client.listed(Map.of("capabilities", "come"))).containsExactly(agent.id());
        assertThat(client.listed(Map.of("role_id", "mover"))).containsExactly(agent.id());
        client.patchProfile(agent.id(), "2", "{\"capabilities\":[]}");
        assertThat(client.listed(Map.of("capabilities", "leave,stay,come"))).isEmpty();
        assertThat(client.listed(Map.of("role_id", "mover"))).containsExactly(agent.id());
    }

    @Test
    @Tag("AHS-11")
    void capabilities_are_dated_only_when_they_change() {
        TestAgent agent = client.newAgent(",\"capabilities\":[\"a\"]");
        Instant registered = system.clock().instant();
        system.clock().advanceSeconds(5);
        client.patchProfile(agent.id(), "*", "{\"capabilities\":[\"a\"],\"name\":\"n\"}");
        assertThat(agent.stored().profile().agentInterface().updatedAt()).isEqualTo(registered);
        client.patchProfile(agent.id(), "*", "{\"capabilities\":[\"a\",\"b\"]}");
        Instant changed = system.clock().instant();
        assertThat(agent.stored().profile().agentInterface().updatedAt()).isEqualTo(changed);
        system.clock().advanceSeconds(5);
        client.patchProfile(agent.id(), "*", "{\"capabilities\":[\"b\",\"a\"]}");
        assertThat(agent.stored().profile().agentInterface().capabilities()).containsExactly("b", "a");
        assertThat(agent.stored().profile().agentInterface().updatedAt())
                .as("the order does not matter")
                .isEqualTo(changed);
    }

    @ParameterizedTest
    @Tag("AHS-11")
    @ValueSource(
            strings = {
                "\"endpoint\":\"https://y.example/\"",
                "\"a2a_version\":\"1.0\"",
                "\"a2a_binding\":\"HTTP+JSON\"",
                "\"kind\":\"mcp_server\""
            })
    void a_changed_kind_endpoint_or_protocol_version_is_an_update_of_the_capabilities(String change) {
        TestAgent agent = client.newAgent(",\"endpoint\":\"https://x.example/\"");
        system.clock().advanceSeconds(5);
        client.patchProfile(agent.id(), "*", "{" + change + "}");
        Instant changed = system.clock().instant();
        assertThat(agent.stored().profile().agentInterface().updatedAt()).isEqualTo(changed);
        system.clock().advanceSeconds(5);
        client.patchProfile(agent.id(), "*", "{" + change + "}");
        assertThat(agent.stored().profile().agentInterface().updatedAt())
                .as("the same again is no update")
                .isEqualTo(changed);
    }

    @Test
    @Tag("AHS-11")
    void a_model_s_date_is_unknown_until_it_changes_or_is_given() {
        TestAgent agent = client.newAgent("");
        assertThat(model(client.patchProfile(
                        agent.id(),
                        "*",
                        """
                {"model":{"name":"m","version":"1"}}\
                """)))
                .isEqualTo("null");
        assertThat(model(client.patchProfile(agent.id(), "*", "{\"model\":{\"version\":\"1\"}}")))
                .isEqualTo("null");
        system.clock().advanceSeconds(5);
        String now = Timestamps.text(system.clock().instant());
        assertThat(model(client.patchProfile(agent.id(), "*", "{\"model\":{\"version\":\"2\"}}")))
                .isEqualTo(now);
        system.clock().advanceSeconds(5);
        assertThat(model(client.patchProfile(agent.id(), "*", "{\"name\":\"n\"}")))
                .isEqualTo(now);
        assertThat(client.patchProfile(
                                agent.id(),
                                "*",
                                "{\"model\":{\"changed_at\":\""
                                        + system.clock().instant().plusMillis(1) + "\"}}")
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"'', 428", "\"7\", 412", "x, 412", "\"1\", 200", "1, 200", "*, 200"})
    @Tag("R16-31")
    void if_match_applies_to_the_profile(String ifMatch, int status) {
        TestAgent agent = client.newAgent("");
        assertThat(client.patchProfile(agent.id(), ifMatch, "{\"name\":\"n\"}").status())
                .isEqualTo(status);
        assertThat(agent.stored().profile().description().name()).isEqualTo(status == 200 ? "n" : "");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("R16-02")
    void a_profile_change_of_a_dead_or_archived_agent_is_refused(boolean archived) {
        TestAgent agent = client.newAgent("");
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(!archived || agent.archive()).isTrue();
        TableContents before = TableContents.of(system.tables());
        Response response = client.patchProfile(agent.id(), "*", "{\"name\":\"n\"}");
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.json().get("error").textValue()).isEqualTo("agent_gone");
        assertThat(response.json().get("detail").textValue()).contains("dead");
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent_id", "role_id", "status", "version", "registered_at", "incarnation"})
    @Tag("R16-25")
    void fields_set_by_registration_or_the_server_cannot_be_patched(String field) {
        TestAgent agent = client.newAgent("");
        Response response = client.patchProfile(agent.id(), "*", "{\"" + field + "\":\"x\",\"name\":\"n\"}");
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().get("errors").findValuesAsText("field")).containsExactly(field);
        assertThat(response.json().get("errors").findValuesAsText("message"))
                .allSatisfy(message -> assertThat(message).contains("cannot be changed"));
        assertThat(agent.stored().profile().description().name()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"active", "unhealthy", "draining"})
    @Tag("R16-25")
    void a_record_sent_back_as_it_was_read_changes_nothing(String status) {
        TestAgent agent = client.newAgent(FULL);
        client.patchProfile(agent.id(), "*", "{\"expectations\":{\"window_seconds\":7200}}");
        agent.sendHeartbeat("active", ",\"current_load\":2,\"tasks_in_progress\":[\"t\"]");
        if (status.equals("unhealthy")) {
            agent.becomeUnhealthy();
        } else if (status.equals("draining")) {
            agent.drain(system.api());
        }
        Response read = client.get(agent.id());
        assertThat(read.json().has(RESTARTED)).isTrue();
        TableContents before = TableContents.of(system.tables());
        Response patched = client.patchProfile(agent.id(), read.header("ETag"), read.text());
        assertThat(patched.status()).as(patched.text()).isEqualTo(200);
        assertThat(patched.json()).isEqualTo(read.json());
        assertThat(patched.header("ETag")).isEqualTo(read.header("ETag"));
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"name\":null}", "{\"heartbeat_config\":{},\"metadata\":{}}"})
    @Tag("R16-25")
    void a_patch_without_a_change_keeps_the_version(String body) {
        TestAgent agent = client.newAgent("");
        Response response = client.patchProfile(agent.id(), "\"1\"", body);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("ETag")).isEqualTo("\"1\"");
        assertThat(agent.pulse().version()).isEqualTo(1);
    }

    @Test
    @Tag("R16-25")
    void a_record_may_be_sent_back_after_heartbeats_with_one_field_changed() {
        TestAgent agent = client.newAgent(FULL);
        agent.sendHeartbeat("active", ",\"current_load\":2,\"tasks_in_progress\":[\"t\"]");
        Response read = client.get(agent.id());
        system.clock().advanceSeconds(5);
        agent.sendHeartbeat("active", ",\"current_load\":3,\"tasks_in_progress\":[\"u\"]");
        ObjectNode changed = (ObjectNode) read.json();
        changed.put("name", "renamed");
        changed.put("registered_at", changed.get("registered_at").textValue().replace("Z", "+00:00"));
        Response patched = client.patchProfile(agent.id(), read.header("ETag"), changed.toString());
        assertThat(patched.status()).as(patched.text()).isEqualTo(200);
        assertThat(patched.json().get("name").textValue()).isEqualTo("renamed");
        assertThat(patched.json().get("version").intValue()).isEqualTo(2);
        assertThat(patched.json().get("capacity").get("current_load").intValue())
                .isEqualTo(3);
        assertThat(patched.json().get("tasks_in_progress")).isEqualTo(Json.stored("[\"u\"]"));
    }

    @Test
    void a_change_concurrent_with_another_applies_to_the_latest_profile() {
        TestAgent agent = client.newAgent(",\"capabilities\":[\"before\"]");
        AtomicBoolean met = new AtomicBoolean();
        TestDynamoDb meeting = new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && met.compareAndSet(false, true)) {
                client.patchProfile(agent.id(), "*", "{\"capabilities\":[\"other\"],\"metadata\":{\"other\":1}}");
            }
        });
        RegistryClient second = new RegistryClient(system, system.apiThrough(meeting));
        assertThat(second.patchProfile(agent.id(), "*", "{\"name\":\"second\"}").status())
                .isEqualTo(200);
        JsonNode record = client.get(agent.id()).json();
        assertThat(record.get("name").textValue()).isEqualTo("second");
        assertThat(record.get("capabilities")).isEqualTo(Json.stored("[\"other\"]"));
        assertThat(record.get("metadata")).isEqualTo(Json.stored("{\"other\":1}"));
        assertThat(record.get("version").intValue()).isEqualTo(3);
        assertThat(List.of("before", "other").stream().filter(tag -> !client.listed(Map.of("capabilities", tag))
                        .isEmpty()))
                .containsExactly("other");
    }

    private static String model(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().get("model").get("changed_at").asText();
    }
}
