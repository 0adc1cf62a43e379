package dev.agenthealth.functions.operations.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestEventBridge;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.eventbridge.model.InternalException;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/** An administrator publishes events from the event log again. */
@Tag("SYS-05")
@Tag("SYS-06")
class RepublishTest {

    private final CapturedOutput output = new CapturedOutput();
    private final TestSystem system = new TestSystem();
    private final TestEventBridge eventBridge = TestEventBridge.of(List.of("bus"));
    private final TestApi api = api(system.wiring(Map.of(), eventBridge::client, () -> {
        throw new IllegalStateException("nothing is called");
    }));
    private final Instant start = system.clock().instant();

    @AfterEach
    void close() {
        output.close();
        eventBridge.close();
        system.close();
    }

    @Test
    @Tag("R16-03")
    void events_are_sent_again_as_they_were_sent_first_and_in_order() {
        for (int i = 0; i < 25; i++) {
            register("agent-" + i);
            system.clock().advance(Duration.ofMinutes(7));
        }
        Response answer = republish("{\"from\":\"" + start + "\"}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("republished").asInt()).isEqualTo(25);
        assertThat(answer.json().has("next_token")).isFalse();
        assertThat(sentIds())
                .containsExactlyElementsOf(IntStream.range(0, 25)
                        .mapToObj(i -> "agent:agent-" + i + ":1")
                        .toList());
        assertThat(eventBridge.requests()).extracting(List::size).containsExactly(10, 10, 5);
        PutEventsRequestEntry entry = eventBridge.requests().get(0).get(0);
        assertThat(entry.eventBusName()).isEqualTo("bus");
        assertThat(entry.source()).isEqualTo("agent-health");
        assertThat(entry.detailType()).isEqualTo("agent.lifecycle");
        assertThat(entry.hasResources()).isFalse();
        assertThat(entry.time()).isEqualTo(start);
        assertThat(Json.stored(entry.detail())).isEqualTo(logged().get(0));
    }

    @Test
    void the_start_of_the_range_is_inclusive_and_the_end_exclusive() {
        List<Instant> moments = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            moments.add(system.clock().instant());
            register("agent-" + i);
            system.clock().advance(Duration.ofMillis(1));
        }
        system.clock().advanceSeconds(10);
        Response answer = republish("{\"from\":\"" + moments.get(1) + "\",\"to\":\"" + moments.get(3) + "\"}");
        assertThat(answer.json().path("republished").asInt()).isEqualTo(2);
        assertThat(sentIds()).containsExactly("agent:agent-1:1", "agent:agent-2:1");
        assertThat(republish("{\"from\":\"" + moments.get(1) + "\",\"to\":\"" + moments.get(1) + "\"}")
                        .json()
                        .path("republished")
                        .asInt(-1))
                .isZero();
    }

    @Test
    void without_an_end_the_range_ends_before_events_that_may_still_be_written() {
        register("agent-1");
        system.clock().advance(Duration.ofMillis(5_000));
        register("agent-2");
        assertThat(republish("{\"from\":\"" + start + "\"}")
                        .json()
                        .path("republished")
                        .asInt(-1))
                .as("an event of that very moment may still be under way")
                .isZero();
        system.clock().advance(Duration.ofMillis(1));
        assertThat(republish("{\"from\":\"" + start + "\"}")
                        .json()
                        .path("republished")
                        .asInt())
                .isEqualTo(1);
        assertThat(sentIds()).containsExactly("agent:agent-1:1");
    }

    @Test
    @Tag("exhaustive")
    void a_large_range_continues_with_the_token_and_is_sent_once() {
        register("agent-1");
        manifold(1_030);
        system.clock().advanceSeconds(10);
        Response first = republish("{\"from\":\"" + start + "\"}");
        assertThat(first.json().path("republished").asInt()).isEqualTo(Republishing.MAX_EVENTS);
        register("too-late");
        system.clock().advanceSeconds(100);
        Response second = goOn(first);
        assertThat(second.json().path("republished").asInt()).isEqualTo(1_030 - Republishing.MAX_EVENTS);
        assertThat(second.json().has("next_token")).isFalse();
        assertThat(second.json().path("to")).isEqualTo(first.json().path("to"));
        assertThat(sentIds()).hasSize(1_030).doesNotHaveDuplicates().doesNotContain("agent:too-late:1");
        assertThat(sentIds())
                .isEqualTo(logged().stream()
                        .map(event -> event.path("event_id").asText())
                        .filter(id -> !id.startsWith("agent:too-late"))
                        .toList());
    }

    @Test
    void a_request_ends_before_the_function_s_timeout() {
        for (int i = 0; i < 50; i++) {
            register("agent-" + i);
        }
        system.clock().advanceSeconds(10);
        TestDynamoDb slow = new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof QueryRequest) {
                system.clock().advanceSeconds(4);
            }
        });
        Wiring usual = system.wiring(Map.of(), eventBridge::client, () -> {
            throw new IllegalStateException("nothing is called");
        });
        TestApi slowApi = api(usual.toBuilder().dynamoDb(() -> slow).build());
        Response answer = slowApi.post("/v1/admin/events/republish")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"from\":\"" + start + "\"}")
                .send();
        assertThat(answer.json().path("republished").asInt(-1)).isZero();
        assertThat(goOn(answer).json().path("republished").asInt()).isEqualTo(50);
        assertThat(sentIds()).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void the_next_request_starts_with_the_rejected_event() {
        for (int i = 0; i < 25; i++) {
            register("agent-" + i);
            system.clock().advance(Duration.ofMillis(1));
        }
        system.clock().advanceSeconds(10);
        eventBridge.answerEntries();
        eventBridge.answerEntries("", "", "", "ThrottlingException", "");
        Response refused = republish("{\"from\":\"" + start + "\"}");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.json().path("error").asText()).isEqualTo("event_bus_refused");
        assertThat(refused.json().path("detail").asText()).contains("took 13 events");
        int before = sentIds().size();
        Response rest = goOn(refused);
        assertThat(rest.json().path("republished").asInt()).isEqualTo(12);
        assertThat(sentIds().get(before)).isEqualTo("agent:agent-13:1");
        assertThat(sentIds()).contains("agent:agent-24:1");
    }

    @Test
    void an_unavailable_bus_leaves_the_position_unchanged() {
        register("agent-1");
        system.clock().advanceSeconds(10);
        eventBridge.fail(InternalException.builder().build());
        Response refused = republish("{\"from\":\"" + start + "\"}");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(goOn(refused).json().path("republished").asInt()).isEqualTo(1);
    }

    @Test
    void events_with_the_same_agent_and_time_are_all_sent() {
        register("holder");
        for (int i = 0; i < 14; i++) {
            assertThat(system.api()
                            .post("/api/v1/intents/i/leases")
                            .key(TestSystem.AGENT_KEY)
                            .body("{\"agent_id\":\"holder\",\"scope\":\"s" + i + "\",\"duration_seconds\":600}")
                            .send()
                            .status())
                    .isEqualTo(201);
        }
        system.clock().advanceSeconds(10);
        eventBridge.answerEntries("", "", "", "InternalFailure");
        Response refused = republish("{\"from\":\"" + start + "\",\"types\":[\"lease.acquired\"]}");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(goOn(refused).json().path("republished").asInt()).isEqualTo(11);
        List<String> paged = new ArrayList<>();
        String token = "";
        do {
            TestApi.Request request = system.api()
                    .get("/api/v1/events")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .query("limit", "1");
            JsonNode page = (token.isEmpty() ? request : request.query("next_token", token))
                    .send()
                    .json();
            page.path("events")
                    .forEach(event -> paged.add(event.path("event_id").asText()));
            token = page.path("next_token").asText();
        } while (!token.isEmpty());
        assertThat(paged).hasSize(15).doesNotHaveDuplicates();
    }

    @Test
    void only_events_of_the_requested_types_and_agent_are_sent() {
        for (String agent : List.of("a", "a:b", "b")) {
            register(agent);
            system.api()
                    .post("/v1/admin/agents/" + agent + "/block")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{\"reason\":\"why\"}")
                    .send();
        }
        system.clock().advanceSeconds(10);
        republish("{\"from\":\"" + start + "\",\"agent_id\":\"a\"}");
        assertThat(sentIds()).containsExactlyInAnyOrder("agent:a:1", "agent:a:2");
        republish("{\"from\":\"" + start + "\",\"types\":[\"agent.trust\"]}");
        assertThat(sentIds().subList(2, 5)).containsExactlyInAnyOrder("agent:a:2", "agent:a:b:2", "agent:b:2");
        republish("{\"from\":\"" + start + "\",\"types\":[\"agent.trust\",\"agent.lifecycle\"],\"agent_id\":\"b\"}");
        assertThat(sentIds().subList(5, 7)).containsExactlyInAnyOrder("agent:b:1", "agent:b:2");
    }

    @Test
    void the_token_contains_the_filters() {
        for (int i = 0; i < 12; i++) {
            register("other-" + i);
        }
        register("wanted");
        system.clock().advanceSeconds(10);
        eventBridge.answerEntries("InternalFailure");
        Response refused =
                republish("{\"from\":\"" + start + "\",\"agent_id\":\"wanted\",\"types\":[\"agent.lifecycle\"]}");
        assertThat(goOn(refused).json().path("republished").asInt()).isEqualTo(1);
        assertThat(sentIds()).containsOnly("agent:wanted:1");
    }

    @Test
    void events_can_be_republished_for_ninety_days() {
        register("old");
        system.clock().advance(Duration.ofDays(90).minusSeconds(1));
        String twoDays = ",\"to\":\"" + start.plus(Duration.ofDays(2)) + "\"}";
        assertThat(republish("{\"from\":\"" + start + "\"" + twoDays).json().has("next_token"))
                .as("days without any event are passed over within one request")
                .isFalse();
        assertThat(sentIds()).containsExactly("agent:old:1");
        system.clock().advanceSeconds(2);
        assertThat(republish("{\"from\":\"" + start + "\"}").status()).isEqualTo(400);
        republish("{\"from\":\"" + start.plusSeconds(2) + "\"" + twoDays);
        assertThat(sentIds()).hasSize(1);
    }

    @Test
    void every_invalid_field_is_reported() {
        Response answer = republish("{\"from\":\"yesterday\",\"to\":\""
                + system.clock().instant() + "\",\"types\":[\"agent.lifecycle\",\"agent.live\"],\"agent_id\":\"a/b\","
                + "\"until\":1}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder("from", "to", "types[1]", "agent_id", "until");
    }

    @Test
    void a_field_that_breaks_a_rule_is_refused() {
        Map<String, String> bodies = Map.of(
                "{}",
                "from",
                "{\"from\":\"2025-01-01T00:00:00Z\"}",
                "from",
                "{\"from\":\"2026-02-08T09:59:00Z\",\"to\":\"2026-02-08T09:58:59Z\"}",
                "to",
                "{\"from\":\"2026-02-08T09:59:00Z\",\"to\":\"2026-02-08T09:59:55.001Z\"}",
                "to",
                "{\"from\":\"2026-02-08T10:00:00Z\"}",
                "to",
                "{\"next_token\":\"x\"}",
                "next_token",
                "{\"next_token\":\"eyJwb3NpdGlvbiI6MX0\"}",
                "next_token",
                "{\"next_token\":7}",
                "next_token",
                "{\"next_token\":\"\"}",
                "next_token");
        bodies.forEach((body, field) -> {
            Response answer = republish(body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.json().path("errors").findValuesAsText("field"))
                    .as(body)
                    .contains(field);
        });
        assertThat(eventBridge.requests()).isEmpty();
    }

    @Test
    void a_token_cannot_be_combined_with_other_fields() {
        register("agent-1");
        system.clock().advanceSeconds(10);
        eventBridge.answerEntries("InternalFailure");
        String token = republish("{\"from\":\"" + start + "\"}")
                .json()
                .path("next_token")
                .asText();
        Response answer =
                republish("{\"next_token\":\"" + token + "\",\"types\":[\"agent.trust\"],\"agent_id\":\"b\"}");
        assertThat(answer.json().path("errors").findValuesAsText("field")).containsExactly("types", "agent_id");
    }

    @Test
    void the_log_contains_the_caller_and_the_range() {
        register("agent-1");
        system.clock().advanceSeconds(10);
        republish("{\"from\":\"" + start + "\",\"types\":[\"agent.lifecycle\"]}");
        assertThat(output.lines()).anySatisfy(line -> assertThat(line)
                .contains("\"event\":\"events_republished\"")
                .contains("\"by\":\"administrator\"")
                .contains("\"republished\":1")
                .contains("\"complete\":true"));
        assertThat(output.text()).doesNotContain(TestSystem.ADMINISTRATOR_KEY);
    }

    private static TestApi api(Wiring wiring) {
        return new TestApi(List.of(new AdministrationFunction(wiring)));
    }

    private void register(String agentId) {
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"" + agentId + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    /** Copies the only event this number of times, a millisecond apart. */
    private void manifold(int number) {
        Map<String, AttributeValue> first = system.tables()
                .dynamoDb()
                .getItem(r -> r.tableName(TestTables.REGISTRY)
                        .key(Map.of(
                                "pk", AttributeValue.fromS("A#agent-1"),
                                "sk", AttributeValue.fromS("E#000000000001"))))
                .item();
        List<WriteRequest> puts = new ArrayList<>();
        for (int i = 2; i <= number; i++) {
            Map<String, AttributeValue> item = new HashMap<>(first);
            item.put("sk", AttributeValue.fromS(String.format("E#%012d", i)));
            item.put("fs", AttributeValue.fromS(String.format("%d#agent-1#%012d", start.toEpochMilli() + i, i)));
            item.put("detail", AttributeValue.fromS(first.get("detail").s().replace("agent-1:1", "agent-1:" + i)));
            puts.add(WriteRequest.builder().putRequest(p -> p.item(item)).build());
        }
        for (int i = 0; i < puts.size(); i += 25) {
            List<WriteRequest> some = puts.subList(i, Math.min(i + 25, puts.size()));
            system.tables().dynamoDb().batchWriteItem(r -> r.requestItems(Map.of(TestTables.REGISTRY, some)));
        }
    }

    private Response republish(String body) {
        return api.post("/v1/admin/events/republish")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body)
                .send();
    }

    private Response goOn(Response before) {
        return republish("{\"next_token\":\"" + before.json().path("next_token").asText() + "\"}");
    }

    /** The ids of all events that were sent, whether they were taken or not. */
    private List<String> sentIds() {
        return eventBridge.requests().stream()
                .flatMap(List::stream)
                .map(entry -> Json.stored(entry.detail()).path("event_id").asText())
                .toList();
    }

    private List<JsonNode> logged() {
        List<JsonNode> events = new ArrayList<>();
        String token = "";
        do {
            TestApi.Request request = system.api()
                    .get("/api/v1/events")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .query("since", start.toString())
                    .query("limit", "1000");
            JsonNode page = (token.isEmpty() ? request : request.query("next_token", token))
                    .send()
                    .json();
            page.path("events").forEach(events::add);
            token = page.path("next_token").asText();
        } while (!token.isEmpty());
        return events;
    }
}
