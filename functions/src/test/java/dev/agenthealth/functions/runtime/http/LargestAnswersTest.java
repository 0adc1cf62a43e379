package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.snapshot.RuntimeJson;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Lists of items of maximum size: no response exceeds Lambda's limit, and no item is missing. One item of each kind is written
 * through the API and then copied.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-22")
class LargestAnswersTest {

    /** Lambda's limit for a response. */
    private static final int MAX_BYTES = 6 * 1024 * 1024;

    private static final String ID = "x".repeat(60);
    private static final String FIRST = ID + "0000";
    private static final String ROLE = "r".repeat(64);

    /** The widest character: the runtime writes each half of it as an escape sequence. */
    private static final String WIDEST = "\ud83d\ude00";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeAll
    void fill() {
        send("POST", "/api/v1/agents", largestAgent());
        send("POST", "/v1/admin/agents/" + FIRST + "/block", "{\"reason\":\"" + WIDEST.repeat(500) + "\"}");
        send(
                "POST",
                "/api/v1/intents/" + FIRST + "/leases",
                "{\"agent_id\":\"" + FIRST + "\",\"scope\":\"" + FIRST + "\"}");
        send("PUT", "/api/v1/workflows/" + FIRST, roles("\"%s\":{}", 50, "{\"agents\":{", "}}"));
        String key = send(
                        "POST",
                        "/v1/admin/keys",
                        "{\"role\":\"coordinator\",\"name\":\"" + WIDEST.repeat(200) + "\","
                                + roles("\"%s\"", 100, "\"role_ids\":[", "]}"))
                .json()
                .get("key_id")
                .textValue();
        copy(TestTables.PULSES, "", "", FIRST, 175);
        copy(TestTables.REGISTRY, "A#", "P", FIRST, 175);
        send("POST", "/api/v1/agents", "{\"agent_id\":\"short-0000\"}");
        copy(TestTables.PULSES, "", "", "short-0000", 330);
        copy(TestTables.REGISTRY, "A#", "P", "short-0000", 330);
        copy(TestTables.REGISTRY, "A#", "E#", FIRST, 175);
        copy(TestTables.REGISTRY, "R#", FIRST, FIRST, 175);
        copy(TestTables.REGISTRY, "KEYS", key, key, 440);
        system.clock().advanceSeconds(10);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/agents, agents, agent_id, 505",
        "/api/v1/events, events, event_id, 178",
        "/api/v1/pools/" + "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr, members, agent_id, 175",
        "/v1/admin/keys, keys, key_id, 443"
    })
    @Tag("slow")
    void a_page_ends_before_the_limit_and_the_next_page_continues(String path, String list, String id, int items) {
        List<String> met = new ArrayList<>();
        int pages = 0;
        String token = "";
        do {
            Request request = system.api().get(path).query("limit", "1000").key(TestSystem.ADMINISTRATOR_KEY);
            Response response = (token.isEmpty() ? request : request.query("next_token", token)).send();
            assertThat(response.status()).isEqualTo(200);
            assertThat(bytes(response)).isLessThan(AnswerItems.MAX_BYTES + 100_000);
            JsonNode json = response.json();
            json.get(list).forEach(item -> met.add(item.get(id).textValue()));
            token = json.path("next_token").asText("");
            pages++;
        } while (!token.isEmpty());
        assertThat(met).hasSize(items).doesNotHaveDuplicates();
        assertThat(pages).as("the minimum number of pages").isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/trust/agents/{id}, '', 500",
        "/v1/health/agents/{id}, '', 500",
        "/api/v1/workflows, workflows, 1000",
        "/api/v1/intents/{id}/leases, leases, 1000",
        "/api/v1/agents/{id}/leases, leases, 1000"
    })
    void a_full_page_of_small_items_is_below_the_limit(String path, String list, int maxItems) {
        TestApi.Request request = system.api().get(path.replace("{id}", FIRST)).key(TestSystem.ADMINISTRATOR_KEY);
        Response response = (list.isEmpty() ? request : request.query("limit", "1")).send();
        assertThat(response.status()).isEqualTo(200);
        assertThat(list.isEmpty() || response.json().get(list).size() == 1).isTrue();
        assertThat(maxItems * bytes(response)).isLessThan(MAX_BYTES);
    }

    @Test
    void pages_of_trust_end_before_the_limit() {
        Response page = system.api()
                .get("/v1/trust/agents")
                .query("limit", "1000")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        assertThat(page.json().get("items")).hasSize(500);
        assertThat(page.json().has("next_token")).isTrue();
    }

    @Test
    @Tag("slow")
    void the_largest_response_is_a_batch_of_heartbeats_full_of_errors() {
        String outcomes = "{\"\":1},".repeat(350) + "{\"\":1}";
        String heartbeats = IntStream.range(0, 100)
                .mapToObj(i -> "{\"agent_id\":\"" + id(i) + "\",\"status\":\"active\",\"client_timestamp\":\""
                        + system.clock().instant() + "\",\"outcomes\":[" + outcomes + "]}")
                .collect(Collectors.joining(",", "{\"heartbeats\":[", "]}"));
        assertThat(heartbeats.length()).isBetween(250_000, 256 * 1024);
        Response response = system.api()
                .post("/api/v1/heartbeats")
                .key(TestSystem.AGENT_KEY)
                .body(heartbeats)
                .send();
        assertThat(response.status()).isEqualTo(200);
        JsonNode first = response.json().get("results").get(0).get("outcomes");
        assertThat(first.get("detail").textValue()).isEqualTo("703 fields of the request are not valid.");
        assertThat(first.get("errors")).hasSize(500);
        assertThat(bytes(response)).isLessThan(MAX_BYTES * 3 / 4);
    }

    @Test
    void bytes_are_counted_as_the_runtime_writes_them() {
        for (String text : List.of(
                "plain",
                "\"\"",
                "\\",
                "\u00e9",
                "\u20ac",
                "\ud83d\ude00",
                "{\"a\":\"\\\"\"}",
                "/",
                "\u007f",
                "\u2028")) {
            assertThat(AnswerItems.sentBytes(text)).as(text).isEqualTo(bytes(text) - bytes(""));
        }
    }

    private static int bytes(Response response) {
        return RuntimeJson.bytes(APIGatewayV2HTTPResponse.class, response.event());
    }

    private static int bytes(String body) {
        return bytes(new Response(new ApiResponse(200, Map.of(), body).toEvent()));
    }

    private static String largestAgent() {
        String tags = IntStream.range(10, 42)
                .mapToObj(i -> "\"" + i + WIDEST.repeat(62) + "\"")
                .collect(Collectors.joining(","));
        return "{\"agent_id\":\"" + FIRST + "\",\"role_id\":\"" + ROLE + "\",\"provider_id\":\"" + FIRST
                + "\",\"name\":\""
                + WIDEST.repeat(200) + "\",\"capabilities\":[" + tags
                + "],\"capacity\":{\"max_concurrent_tasks\":1000000},"
                + "\"endpoint\":\"http://x.example/" + "p".repeat(2_031) + "\"}";
    }

    private static String roles(String form, int count, String before, String after) {
        return IntStream.range(1_000, 1_000 + count)
                .mapToObj(i -> form.formatted(ID + i))
                .collect(Collectors.joining(",", before, after));
    }

    private Response send(String method, String path, String body) {
        String key = path.equals("/api/v1/agents") ? TestSystem.AGENT_KEY : TestSystem.ADMINISTRATOR_KEY;
        Response response =
                system.api().request(method, path).key(key).body(body).send();
        assertThat(response.status()).as(path + response.text()).isBetween(200, 201);
        return response;
    }

    private static String id(int number) {
        return ID + "%04d".formatted(number);
    }

    /** Copies the item with these key prefixes {@code count} times with other ids. */
    private void copy(String table, String pk, String sk, String first, int count) {
        Map<String, AttributeValue> original =
                system.tables().dynamoDb().scanPaginator(r -> r.tableName(table)).items().stream()
                        .filter(item -> item.toString().contains(first))
                        .filter(item -> pk.isEmpty()
                                || item.get("pk").s().startsWith(pk)
                                        && item.get("sk").s().startsWith(sk))
                        .findFirst()
                        .orElseThrow();
        String stem = first.substring(0, first.length() - 4);
        List<WriteRequest> writes = IntStream.range(1, count)
                .mapToObj(i -> {
                    Map<String, AttributeValue> copy = new HashMap<>(original);
                    copy.replaceAll((name, value) -> value.s() == null
                            ? value
                            : AttributeValue.fromS(value.s().replace(first, stem + "%04d".formatted(i))));
                    return WriteRequest.builder().putRequest(p -> p.item(copy)).build();
                })
                .toList();
        IntStream.range(0, (writes.size() + 24) / 25).forEach(i -> system.tables()
                .dynamoDb()
                .batchWriteItem(r ->
                        r.requestItems(Map.of(table, writes.subList(25 * i, Math.min(writes.size(), 25 * i + 25))))));
    }
}
