package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.Activity;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Request and response of a heartbeat (RFC-0016 §4.1 to §4.3). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
class HeartbeatProtocolTest {

    @AutoClose
    private TestSystem system;

    private TestAgent agent;
    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
        agent = TestAgent.registered(system, "agent_any");
    }

    @Test
    void the_specification_s_example_request_gets_its_example_response() {
        TestAgent billing = TestAgent.registered(system, "agent_billing_01");
        system.clock().advance(Duration.between(system.clock().instant(), Instant.parse("2026-02-08T10:30:00.123Z")));
        Response response = system.api()
                .post("/api/v1/agents/agent_billing_01/heartbeat")
                .header("content-type", "application/json")
                .key(TestSystem.AGENT_KEY)
                .body(
                        """
                        {
                          "status": "active",
                          "current_load": 3,
                          "tasks_in_progress": ["task_01H001", "task_01H002", "task_01H003"],
                          "client_timestamp": "2026-02-08T10:30:00Z"
                        }
                        """)
                .send();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("Content-Type")).isEqualTo("application/json");
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.json())
                .isEqualTo(
                        Json.stored(
                                """
                        {
                          "acknowledged": true,
                          "server_timestamp": "2026-02-08T10:30:00.123Z",
                          "agent_status": "active",
                          "incarnation": 1,
                          "pending_commands": [],
                          "next_heartbeat_in_seconds": 26
                        }
                        """));
        JsonNode record = system.api()
                .get("/api/v1/agents/agent_billing_01")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
        assertThat(record.at("/capacity/current_load").intValue()).isEqualTo(3);
        assertThat(record.get("last_heartbeat_at").textValue()).isEqualTo("2026-02-08T10:30:00.123Z");
        assertThat(record.get("tasks_in_progress").toString())
                .isEqualTo("[\"task_01H001\",\"task_01H002\",\"task_01H003\"]");
        assertThat(billing.events()).hasSize(1);
    }

    @Test
    void omitted_load_and_tasks_keep_their_values() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("active", ",\"current_load\":4,\"tasks_in_progress\":[\"t1\"]");
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        assertThat(agent.sendHeartbeat("active", ",\"current_load\":null,\"tasks_in_progress\":null")
                        .status())
                .isEqualTo(200);
        assertThat(agent.pulse().workload().load()).isEqualTo(4);
        assertThat(agent.stored().tasks()).containsExactly("t1");
    }

    @Test
    void a_load_of_zero_differs_from_an_omitted_load() {
        TestAgent idle = newAgent();
        idle.sendHeartbeat("active", ",\"current_load\":7");
        idle.sendHeartbeat("active", ",\"current_load\":0");
        assertThat(idle.pulse().workload().load()).isZero();
        assertThat(idle.pulse().workload().load()).isNotEqualTo(Workload.NOT_REPORTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"client_timestamp\":\"2026-02-08T10:30:00Z\"} | status",
                "{\"status\":null,\"client_timestamp\":\"2026-02-08T10:30:00Z\"} | status",
                "{\"status\":\"\",\"client_timestamp\":\"2026-02-08T10:30:00Z\"} | status",
                "{\"status\":\"unhealthy\",\"client_timestamp\":\"2026-02-08T10:30:00Z\"} | status",
                "{\"status\":\"Active\",\"client_timestamp\":\"2026-02-08T10:30:00Z\"} | status",
                "{\"status\":\"active \",\"client_timestamp\":\"2026-02-08T10:30:00Z\"} | status",
                "{\"status\":true,\"client_timestamp\":\"2026-02-08T10:30:00Z\"} | status",
                "{\"status\":[\"active\"],\"client_timestamp\":\"2026-02-08T10:30:00Z\"} | status",
                "{\"status\":\"active\"} | client_timestamp",
                "{\"status\":\"active\",\"client_timestamp\":null} | client_timestamp",
            })
    void a_bad_status_and_a_missing_timestamp_are_named_and_nothing_is_counted(String body, String field) {
        long heartbeats = agent.pulse().heartbeatCount();
        Response response = agent.send(body);
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.json().get("error").textValue()).isEqualTo("invalid_request");
        assertThat(fields(response)).containsExactly(field);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(heartbeats);
    }

    @Test
    void all_mistakes_of_a_heartbeat_are_named_at_once() {
        Response response = agent.send(
                """
                {"status":"dead","current_load":-5,"tasks_in_progress":[""]}\
                """);
        assertThat(fields(response))
                .containsExactlyInAnyOrder("status", "client_timestamp", "current_load", "tasks_in_progress[0]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"current_load\":-1 | current_load",
                "\"current_load\":2.5 | current_load",
                "\"current_load\":\"3\" | current_load",
                "\"current_load\":1e99 | current_load",
                "\"current_load\":1e999999999999 | current_load",
                "\"current_load\":1000001 | current_load",
                "\"current_load\":[] | current_load",
                "\"current_load\":5,\"current_load\":6 | current_load",
                "\"tasks_in_progress\":\"t1\" | tasks_in_progress",
                "\"tasks_in_progress\":{} | tasks_in_progress",
                "\"tasks_in_progress\":[1] | tasks_in_progress",
                "\"tasks_in_progress\":[\"t1\",\"\"] | tasks_in_progress",
                "\"tasks_in_progress\":[null,null,\"\"] | tasks_in_progress",
                "\"tasks_in_progress\":[\"a\\u0000b\"] | tasks_in_progress",
                "\"tasks_in_progress\":[\"\\ud800\"] | tasks_in_progress",
                "\"incarnation\":0 | incarnation",
                "\"incarnation\":-1 | incarnation",
                "\"incarnation\":\"1\" | incarnation",
                "\"incarnation\":1.5 | incarnation",
                "\"incarnation\":99999999999999999999 | incarnation",
                "\"activity\":\"tool\" | activity",
                "\"activity\":[] | activity",
                "\"activity\":{\"phase\":\"tool\",\"phase\":\"human\",\"no_progress_seconds\":1} | activity",
                "\"started_at\":1770544800 | started_at",
                "\"started_at\":{} | started_at"
            })
    void a_mistake_in_a_detail_is_one_warning_and_the_heartbeat_counts_without_the_detail(String detail, String field) {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("active", ",\"current_load\":4,\"tasks_in_progress\":[\"t1\"]");
        system.clock().advanceSeconds(30);
        Response response = agent.sendHeartbeat("active", "," + detail);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.json().path("warnings").findValuesAsText("field")).containsExactly(field);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
        assertThat(agent.pulse().lastHeartbeatAt()).isEqualTo(system.clock().instant());
        assertThat(agent.pulse().workload().load()).isEqualTo(4);
        assertThat(agent.stored().tasks()).containsExactly("t1");
        assertThat(agent.pulse().activity().isRunning()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"phase\":\"human\",\"no_progress_seconds\":5,\"for\":7,\"repeats\":9,\"tool\":\"x\"} | activity.for | HUMAN 9 [x]",
                "{\"phase\":\"human\",\"no_progress_seconds\":5,\"repeats\":-1,\"tool\":\"x\"} | activity.repeats | HUMAN 0 []",
                "{\"phase\":\"human\",\"no_progress_seconds\":5,\"repeats\":1.5,\"tool\":\"x\"} | activity.repeats | HUMAN 0 []",
                "{\"phase\":\"tool\",\"no_progress_seconds\":5,\"repeats\":9,\"tool\":[]} | activity.tool | TOOL 9 []",
                "{\"phase\":[],\"no_progress_seconds\":5,\"repeats\":9,\"tool\":\"x\"} | activity.phase | OTHER 9 [x]",
                "{\"no_progress_seconds\":5,\"repeats\":9,\"tool\":\"x\"} | activity.phase | OTHER 9 [x]",
                "{\"phase\":\"human\",\"no_progress_seconds\":-1} | activity.no_progress_seconds | HUMAN 0 []",
                "{\"phase\":\"tool\",\"no_progress_seconds\":\"5\",\"repeats\":9,\"tool\":\"x\"} | activity.no_progress_seconds | TOOL 9 [x]",
                "{\"phase\":\"tool\",\"repeats\":9,\"tool\":\"x\"} | activity.no_progress_seconds | TOOL 9 [x]",
            })
    void a_mistake_in_a_part_of_the_activity_costs_only_this_part(String activity, String field, String kept) {
        TestAgent agent = newAgent();
        Response response = agent.sendHeartbeat("active", ",\"activity\":" + activity);
        assertThat(response.json().path("warnings").findValuesAsText("field")).containsExactly(field);
        assertThat(response.json().at("/warnings/0/message").textValue()).startsWith("is not used: it ");
        Activity counted = agent.pulse().activity();
        assertThat(counted.isRunning()).isTrue();
        assertThat("%s %d [%s]"
                        .formatted(
                                counted.phase(),
                                counted.repeated().repeats(),
                                counted.repeated().tool()))
                .isEqualTo(kept);
    }

    @Test
    void an_activity_without_phase_and_age_is_not_used() {
        TestAgent agent = newAgent();
        Response response = agent.sendHeartbeat("active", ",\"activity\":{\"repeats\":9}");
        assertThat(response.json().path("warnings").findValuesAsText("field"))
                .containsExactly("activity.phase", "activity.no_progress_seconds");
        assertThat(agent.pulse().activity().isRunning()).isFalse();
    }

    @Test
    void a_number_of_repeats_above_the_maximum_and_a_long_name_count() {
        TestAgent agent = newAgent();
        Response response = agent.sendHeartbeat(
                "active",
                ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":1,\"repeats\":1000001,\"tool\":\""
                        + "x".repeat(500) + "\"}");
        assertThat(response.json().has("warnings")).isFalse();
        assertThat(agent.pulse().activity().repeated().repeats()).isEqualTo(1_000_000);
        assertThat(agent.pulse().activity().repeated().tool()).isEqualTo("x".repeat(40));
    }

    @Test
    void a_mistake_costs_no_other_detail() {
        TestAgent agent = newAgent();
        Response response = agent.sendHeartbeat(
                "active",
                """
                        ,"current_load":-1,"tasks_in_progress":["t1"],"incarnation":"x","activity":{"phase":"tool",\
                        "no_progress_seconds":10}\
                        """);
        assertThat(response.json().path("warnings").findValuesAsText("field"))
                .containsExactly("current_load", "incarnation");
        assertThat(response.json().at("/warnings/0/message").textValue())
                .isEqualTo("is not used: it must be a whole number from 0 to 1000000");
        assertThat(agent.stored().tasks()).containsExactly("t1");
        assertThat(agent.pulse().activity().isRunning()).isTrue();
    }

    @Test
    void a_mistake_in_a_detail_of_a_draining_heartbeat_costs_no_drain() {
        TestAgent agent = newAgent();
        Response response = agent.sendHeartbeat("draining", ",\"current_load\":1,\"tasks_in_progress\":[\"\"]");
        assertThat(response.json().path("agent_status").textValue()).isEqualTo("draining");
        assertThat(response.json().at("/warnings/0/message").textValue())
                .isEqualTo("is not used: tasks_in_progress[0] must not be empty");
    }

    @Test
    void a_thousand_tasks_are_accepted_and_a_longer_list_is_not_used() {
        TestAgent busy = newAgent();
        assertThat(busy.sendHeartbeat("active", ",\"tasks_in_progress\":" + taskIds(1_000))
                        .json()
                        .has("warnings"))
                .isFalse();
        assertThat(busy.stored().tasks()).hasSize(1_000);
        Response counted =
                busy.sendHeartbeat("active", ",\"current_load\":1001,\"tasks_in_progress\":" + taskIds(1_001));
        assertThat(counted.status()).isEqualTo(200);
        assertThat(counted.json().path("warnings").findValuesAsText("field")).containsExactly("tasks_in_progress");
        assertThat(busy.stored().tasks()).hasSize(1_000);
        assertThat(busy.pulse().workload().load()).isEqualTo(1_001);
    }

    @Test
    void a_task_id_has_at_most_128_characters() {
        TestAgent verbose = newAgent();
        Response longest = verbose.sendHeartbeat("active", ",\"tasks_in_progress\":[\"" + "x".repeat(128) + "\"]");
        assertThat(longest.json().has("warnings")).isFalse();
        Response longer = verbose.sendHeartbeat("active", ",\"tasks_in_progress\":[\"" + "y".repeat(129) + "\"]");
        assertThat(longer.status()).isEqualTo(200);
        assertThat(longer.json().path("warnings").findValuesAsText("field")).containsExactly("tasks_in_progress");
        assertThat(verbose.stored().tasks()).containsExactly("x".repeat(128));
    }

    @Test
    void a_field_that_is_nested_deeply_or_holds_no_unicode_costs_no_heartbeat() {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);
        TestAgent odd = newAgent();
        for (String more : List.of(
                ",\"later\":" + deep,
                ",\"later\":\"\\udc00\"",
                ",\"later\":1,\"later\":2",
                ",\"later\":" + "9".repeat(5_000))) {
            Response response = send(odd, more + ",\"current_load\":3");
            assertThat(response.status()).as(response.text()).isEqualTo(200);
            assertThat(response.json().path("warnings").findValuesAsText("field"))
                    .containsExactly("body");
        }
        assertThat(odd.pulse().workload().load()).isEqualTo(3);
        Response outcomes = send(odd, ",\"outcomes\":" + deep + ",\"batch_id\":\"b\"");
        assertThat(outcomes.status()).isEqualTo(200);
        assertThat(outcomes.json().at("/outcomes/status_code").intValue()).isEqualTo(400);
        assertThat(odd.pulse().heartbeatCount()).isEqualTo(5);
    }

    @Test
    void a_byte_order_mark_before_the_body_is_no_part_of_it() {
        TestAgent marked = newAgent();
        for (String body : List.of(TestAgent.HEARTBEAT_BODY.formatted("2026-02-08T10:30:00Z"), "")) {
            assertThat(system.api()
                            .post(marked.heartbeatPath())
                            .key(TestSystem.AGENT_KEY)
                            .body("\ufeff" + body)
                            .undescribed()
                            .send()
                            .status())
                    .isEqualTo(200);
        }
        assertThat(marked.pulse().heartbeatCount()).isEqualTo(2);
    }

    @Test
    void an_object_without_fields_is_a_bare_ping() {
        TestAgent pinging = newAgent();
        Response response = pinging.send("{}");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().path("warnings").findValuesAsText("field")).containsExactly("body");
        assertThat(pinging.pulse().heartbeatCount()).isEqualTo(1);
    }

    @Test
    void fields_of_a_later_version_are_ignored() {
        Response response =
                newAgent().sendHeartbeat("active", ",\"gpu_temperature\":71,\"nested\":{\"deep\":[1,2,{\"er\":true}]}");
        assertThat(response.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "\"active\"",
                "{",
                "{\"status\":\"active\",}",
                "{\"status\":\"active\",\"status\":\"draining\",\"client_timestamp\":\"2026-02-08T10:30:00Z\"}",
                "{\"status\":\"active\",\"current_load\":NaN,\"client_timestamp\":\"2026-02-08T10:30:00Z\"}",
                "{\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:30:00Z\",\"a\":1,\"a\":}",
                "{\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:30:00Z\",\"a\":1,\"a\":2",
                "{\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:30:00Z\",\"a\":1,\"a\":2}x",
                "[{\"a\":1,\"a\":2}]",
                "\ufeff\ufeff{\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:30:00Z\"}"
            })
    void a_body_that_is_no_json_object_is_refused(String body) {
        assertThat(agent.send(body).status()).isEqualTo(400);
    }

    @Test
    void a_status_that_stands_twice_is_refused_for_that() {
        Response answer = agent.send(
                """
                        {"status":"active","status":"active","client_timestamp":"2026-02-08T10:30:00Z"}\
                        """);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("errors").findValuesAsText("message"))
                .containsExactly("stands twice in the request, or cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-08T11:30:00+01:00",
                "2026-02-08T10:30Z",
                "2026-02-08T10:30:00.123456789Z",
                "2026-02-08T05:00:00-05:30",
                "2026-02-08T10:30:00",
                "2026-02-08T10:30:00+0000",
                "20260208T103000Z",
                "2026-02-08T10:29:60Z",
                "2026-02-08T10:30:00.1234567890123Z"
            })
    void any_form_of_iso_8601_is_accepted_without_a_warning(String timestamp) {
        Response response = newAgent().send(TestAgent.HEARTBEAT_BODY.formatted(timestamp));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().has("warnings")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\"yesterday\"",
                "\"2026-02-30T10:30:00Z\"",
                "1770544800",
                "1e99",
                "true",
                "{}",
                "[\"2026-02-08T10:30:00Z\"]"
            })
    @Tag("R16-16")
    void a_client_timestamp_that_cannot_be_read_is_a_warning_and_no_drift(String timestamp) {
        TestAgent puzzling = newAgent();
        Response response =
                puzzling.send("{\"status\":\"active\",\"current_load\":2,\"client_timestamp\":" + timestamp + "}");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().at("/warnings").findValuesAsText("field")).containsExactly("client_timestamp");
        assertThat(puzzling.pulse().heartbeatCount()).isEqualTo(1);
        assertThat(puzzling.pulse().workload().load()).isEqualTo(2);
        assertThat(puzzling.events()).as("no clock drift").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "yesterday, 1",
        "1970-01-01, 1",
        "1970-01-01T00:00:01Z, 1",
        "2106-02-08T09:00:00Z, 1",
        "2026-02-08T09:00:00Z, 0",
        "2026-02-08T10:00:00+01:00, 0"
    })
    void a_start_that_cannot_be_read_or_lies_out_of_bounds_is_a_warning(String startedAt, int warnings) {
        Response response = newAgent().sendHeartbeat("active", ",\"started_at\":\"" + startedAt + "\"");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().path("warnings").findValuesAsText("field"))
                .isEqualTo(Collections.nCopies(warnings, "started_at"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void an_empty_body_is_a_bare_ping_that_changes_neither_load_nor_tasks(String body) {
        TestAgent pinging = newAgent();
        pinging.sendHeartbeat("active", ",\"current_load\":4,\"tasks_in_progress\":[\"t1\"]");
        system.clock().advanceSeconds(30);
        Response response = pinging.send(body);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().get("agent_status").textValue()).isEqualTo("active");
        assertThat(response.json().has("warnings")).isFalse();
        assertThat(pinging.pulse().lastHeartbeatAt()).isEqualTo(system.clock().instant());
        assertThat(pinging.pulse().workload().load()).isEqualTo(4);
        assertThat(pinging.stored().tasks()).containsExactly("t1");
        assertThat(pinging.events()).hasSize(1);
    }

    @Test
    @Tag("R16-12")
    void a_bare_ping_makes_an_unhealthy_agent_active() {
        TestAgent silent = newAgent();
        silent.becomeUnhealthy();
        assertThat(silent.send("").json().get("agent_status").textValue()).isEqualTo("active");
        silent.assertHistoryIsWhole("recovered by a heartbeat without details");
    }

    @Test
    @Tag("R16-33")
    void a_bare_ping_needs_the_owner_s_key() {
        TestAgent agent = newAgent();
        assertThat(system.api().post(agent.heartbeatPath()).send().status()).isEqualTo(401);
        assertThat(system.api()
                        .post(agent.heartbeatPath())
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-starts-with-a-hyphen", "has a space", "ümlaut", "a/b", "'; DROP", "%2e%2e"})
    void an_invalid_id_is_refused_and_named(String id) {
        TestAgent impossible = new TestAgent(system, id.replace('/', '\\'));
        Response response = impossible.sendHeartbeat();
        assertThat(response.status()).isEqualTo(400);
        assertThat(fields(response)).containsExactly("agent_id");
    }

    /** Not compared with the description, whose validator does not read such JSON. */
    private Response send(TestAgent agent, String more) {
        String body = TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant());
        return system.api()
                .post(agent.heartbeatPath())
                .key(TestSystem.AGENT_KEY)
                .body(body.substring(0, body.lastIndexOf('}')) + more + "}")
                .undescribed()
                .send();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }

    private static List<String> fields(Response response) {
        return response.json().get("errors").findValuesAsText("field");
    }

    private static String taskIds(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"task-" + i + "\"").collect(Collectors.joining(",", "[", "]"));
    }
}
