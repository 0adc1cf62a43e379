package dev.agenthealth.functions.registry.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.MeasurementFunction;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.usage.HourUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The executions of the versions of a role, and the events about a version that is worse than the version before it. */
class PoolVersionsTest {

    private static final String SUCCESS =
            "{\"result\":\"success\",\"latency_ms\":100,\"usage\":{\"input_tokens\":1000}}";
    private static final String FAILURE = "{\"result\":\"failure\",\"error_type\":\"server_error\",\"latency_ms\":100}";

    private final TestSystem system = new TestSystem();
    private final OutcomeClient client = new OutcomeClient(system);
    private final MeasurementFunction measurement = new MeasurementFunction(system.wiring(Map.of()));
    private int batches;

    @AfterEach
    void close() {
        system.close();
    }

    private TestAgent agent(String id, String version) {
        TestAgent agent = new TestAgent(system, id);
        assertThat(agent.register(",\"replace\":true,\"agent_version\":\"" + version + "\"")
                        .status())
                .isEqualTo(201);
        return agent;
    }

    private void report(TestAgent agent, int successes, int failures) {
        List<String> outcomes = new ArrayList<>(Collections.nCopies(successes, SUCCESS));
        outcomes.addAll(Collections.nCopies(failures, FAILURE));
        Response response = client.report(agent, "b-" + batches++, outcomes.toArray(String[]::new));
        assertThat(response.status()).as(response.text()).isEqualTo(202);
    }

    private void measure() {
        assertThat(measurement.handleRequest(Map.of(), null).get("failed")).isEqualTo(0L);
    }

    private Response read(String query) {
        Request request = system.api().get("/api/v1/pools/worker/versions").key(TestSystem.COORDINATOR_KEY);
        return (query.isEmpty() ? request : request.query("days", query)).send();
    }

    private JsonNode versions() {
        Response response = read("");
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json().path("versions");
    }

    private List<JsonNode> events() {
        Query events =
                Query.partition(ItemKind.REGISTRY_EVENT.partition()).startingWith(ItemKind.REGISTRY_EVENT.prefix());
        return system.database()
                .registry()
                .all(events)
                .map(item -> Json.stored(Values.text(item, "detail")))
                .filter(event -> event.path("type").asText().startsWith("pool.version"))
                .toList();
    }

    @Test
    void a_version_that_fails_more_often_is_reported_once_until_it_recovers() {
        report(agent("a", "1.0"), 194, 6);
        measure();
        TestAgent second = agent("b", "1.1");
        report(second, 160, 40);
        measure();
        report(second, 8, 2);
        measure();
        JsonNode versions = versions();
        assertThat(versions).hasSize(2);
        JsonNode worse = versions.get(0);
        assertThat(worse.path("agent_version").asText()).isEqualTo("1.1");
        assertThat(worse.path("executions").asLong()).isEqualTo(210);
        assertThat(worse.path("success_rate").asDouble()).isEqualTo(0.8);
        assertThat(worse.path("compared_with").asText()).isEqualTo("1.0");
        assertThat(worse.path("findings").toString()).isEqualTo("[\"success\"]");
        assertThat(worse.path("worse_since").isTextual()).isTrue();
        JsonNode before = versions.get(1);
        assertThat(before.path("success_interval").toString()).isEqualTo("{\"low\":0.9361,\"high\":0.9862}");
        assertThat(before.path("latency_p99_ms").asDouble()).isBetween(95.0, 105.0);
        assertThat(before.path("tokens_per_execution").asLong()).isEqualTo(1_000);
        assertThat(before.path("score").asDouble()).isBetween(50.0, 100.0);
        assertThat(before.path("worse_since").isNull()).isTrue();
        assertThat(events()).hasSize(1);
        JsonNode event = events().get(0);
        assertThat(event.path("type").asText()).isEqualTo("pool.version_worse");
        assertThat(event.path("role_id").asText()).isEqualTo("worker");
        assertThat(event.path("agent_version").asText()).isEqualTo("1.1");
        assertThat(event.path("previous_version").asText()).isEqualTo("1.0");
        assertThat(event.path("figures").path("executions").asLong()).isEqualTo(200);

        for (int i = 0; i < 6; i++) {
            report(second, 500, 0);
            measure();
        }
        assertThat(versions().get(0).path("worse_since").isNull()).isTrue();
        assertThat(events()).extracting(each -> each.path("type").asText()).contains("pool.version_recovered");
        assertThat(events()).hasSize(2);
    }

    @Test
    void the_last_execution_is_not_before_the_first_and_not_the_beginning_of_its_hour() {
        TestAgent agent = agent("a", "1.0");
        system.clock().advanceSeconds(3_500);
        report(agent, 1, 0);
        measure();
        String first = versions().get(0).path("first_seen").asText();
        assertThat(versions().get(0).path("last_seen").asText()).isEqualTo(first);
        system.clock().advanceSeconds(40);
        report(agent, 1, 0);
        measure();
        assertThat(versions().get(0).path("first_seen").asText()).isEqualTo(first);
        Instant last = Instant.parse(versions().get(0).path("last_seen").asText());
        assertThat(last).isEqualTo(Instant.parse(first).plusSeconds(40));
        system.clock().advanceSeconds(7_200);
        assertThat(versions().get(0).path("last_seen").asText()).isEqualTo(Timestamps.text(last));
    }

    @Test
    void an_item_without_the_moment_of_the_last_execution_has_the_end_of_its_hour() {
        report(agent("a", "1.0"), 1, 0);
        measure();
        Query stored = Query.partition(ItemKind.POOL_VERSION.partition("worker"));
        system.database().registry().all(stored).toList().forEach(item -> system.database()
                .registry()
                .update(Update.of(Attributes.keyOf(item)).remove("counted")));
        Instant now = system.clock().instant();
        assertThat(versions().get(0).path("last_seen").asText()).isEqualTo(Timestamps.text(now));
        system.clock().advanceSeconds(7_200);
        Instant hour = HourUsage.start(HourUsage.at(now) + 1);
        assertThat(versions().get(0).path("last_seen").asText()).isEqualTo(Timestamps.text(hour));
    }

    @Test
    void a_few_executions_say_nothing() {
        report(agent("a", "1.0"), 10, 0);
        report(agent("b", "1.1"), 8, 2);
        measure();
        assertThat(versions().get(0).path("findings")).isEmpty();
        assertThat(events()).isEmpty();
    }

    @Test
    void an_execution_counts_once_for_the_version_that_the_agent_had() {
        TestAgent agent = agent("a", "1.0");
        report(agent, 3, 1);
        batches--;
        report(agent, 3, 1);
        measure();
        measure();
        report(agent("a", "2.0"), 2, 0);
        measure();
        JsonNode versions = versions();
        assertThat(versions.get(0).path("agent_version").asText()).isEqualTo("2.0");
        assertThat(versions.get(0).path("executions").asLong()).isEqualTo(2);
        assertThat(versions.get(1).path("executions").asLong()).isEqualTo(4);
        assertThat(versions.get(1).path("successes").asLong()).isEqualTo(3);
    }

    @Test
    void failures_of_a_model_provider_and_of_triggers_count_for_no_version() {
        TestAgent agent = agent("a", "1.0");
        client.report(
                agent,
                "b",
                "{\"result\":\"failure\",\"upstream\":{\"provider\":\"openai\",\"error\":\"rate_limited\"}}",
                "{\"result\":\"trigger_failure\"}",
                SUCCESS);
        measure();
        assertThat(versions().get(0).path("executions").asLong()).isEqualTo(1);
    }

    @Test
    void an_agent_without_a_version_or_a_role_is_in_no_comparison() {
        TestAgent agent = new TestAgent(system, "a");
        agent.register("");
        report(agent, 3, 0);
        measure();
        assertThat(versions()).isEmpty();
    }

    @Test
    void further_versions_of_an_agent_and_of_a_role_count_as_other() {
        for (int version = 0; version < 6; version++) {
            report(agent("a", "1." + version), 1, 0);
        }
        measure();
        assertThat(versions()).hasSize(5);
        assertThat(versions().get(4).path("agent_version").asText()).isEqualTo("other");
        assertThat(versions().get(4).path("executions").asLong()).isEqualTo(2);
        for (int agent = 0; agent < 22; agent++) {
            report(agent("b-" + agent, "2." + agent), 1, 0);
            measure();
        }
        assertThat(versions()).hasSize(21);
        assertThat(versions().get(20).path("agent_version").asText()).isEqualTo("other");
        assertThat(versions().get(20).path("executions").asLong()).isEqualTo(8);
    }

    @Test
    void the_version_is_part_of_the_record_and_a_change_clears_it() {
        TestAgent agent = agent("a", "sha256:0ae3f1c2");
        JsonNode record = system.api()
                .get("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
        assertThat(record.path("agent_version").asText()).isEqualTo("sha256:0ae3f1c2");
        Response changed = system.api()
                .patch("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "\"1\"")
                .body("{\"agent_version\":null}")
                .send();
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().path("agent_version").isNull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\" 1\"", "\"a|b\"", "\"a#b\"", "7", "[\"1\"]", "\"1\\n\"", "\"\u00e9\""})
    void a_wrong_version_is_refused(String version) {
        TestAgent agent = new TestAgent(system, "a");
        Response refused = agent.register(",\"agent_version\":" + version);
        assertThat(refused.status()).as(refused.text()).isEqualTo(version.equals("\"\"") ? 201 : 400);
        if (refused.status() == 400) {
            assertThat(refused.json().at("/errors/0/field").asText()).isEqualTo("agent_version");
        }
    }

    @Test
    void an_unknown_role_and_a_wrong_number_of_days_are_refused() {
        assertThat(read("").status()).isEqualTo(404);
        agent("a", "1");
        assertThat(read("").status()).isEqualTo(200);
        assertThat(read("31").status()).isEqualTo(400);
        assertThat(read("x").status()).isEqualTo(400);
        assertThat(read("30").json().path("versions")).isEmpty();
    }
}
