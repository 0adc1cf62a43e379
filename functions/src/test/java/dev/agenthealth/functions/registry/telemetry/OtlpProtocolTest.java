package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TelemetryClient.gzip;
import static dev.agenthealth.functions.registry.telemetry.TelemetryClient.service;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.span;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Attack;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** OTLP/HTTP: encodings, limits, and errors in the form and the encoding that the protocol demands. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag(Attack.TAG)
class OtlpProtocolTest {

    private static final int MB = 1024 * 1024;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TelemetryClient client = new TelemetryClient(system);
    private final Instant now = system.clock().instant();
    private TestAgent agent;

    @BeforeAll
    void register() {
        agent = client.newAgent();
        system.addKey("test-viewer-key", Role.VIEWER, Set.of());
    }

    @Test
    void protobuf_is_answered_in_protobuf() {
        TestAgent of = client.newAgent();
        byte[] request = Proto.request(service(of), Proto.span(1, now, "Planner"), Proto.span(2, now, "Planner"));
        for (Response response : new Response[] {
            client.protobuf().body(request).send(),
            client.protobuf()
                    .header("content-encoding", "gzip")
                    .body(gzip(request))
                    .send()
        }) {
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("Content-Type")).isEqualTo("application/x-protobuf");
            assertThat(bytes(response))
                    .as("full success has no partial_success")
                    .isEmpty();
        }
        assertThat(client.executions(of)).isEqualTo(2);
        Response partial = client.protobuf()
                .body(Proto.request("unmapped", Proto.span(1, now, "Planner")))
                .send();
        assertThat(partial.status()).isEqualTo(200);
        assertThat(bytes(partial))
                .startsWith(new byte[] {0x0a})
                .endsWith(("1 spans belong to no agent of this key, such as span '0000000000000001' of agent 'Planner'"
                                + " of service 'unmapped'")
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(Arrays.copyOfRange(bytes(partial), 2, 4))
                .as("rejected_spans")
                .containsExactly(0x08, 1);
        assertThat(bytes(client.protobuf().body(new byte[0]).send())).isEmpty();
    }

    @Test
    void unknown_fields_and_huge_attributes_are_ignored() {
        TestAgent of = client.newAgent();
        String prompt = "p".repeat(MB);
        byte[] unknown = Proto.message(
                Proto.number(99, -1),
                Proto.fixed64(98, 7),
                Proto.text(97, "of a later version"),
                Proto.message(Proto.varint(96 << 3 | 5), new byte[4]),
                Proto.text(7, "another type than that of the field"),
                Proto.bytes(9, Proto.attribute("gen_ai.input.messages", prompt)),
                Proto.bytes(9, Proto.text(1, "no.value")),
                Proto.bytes(9, Proto.bytes(2, Proto.text(1, "value first")), Proto.text(1, "error.type")));
        assertThat(bytes(client.protobuf()
                        .body(Proto.message(
                                unknown, Proto.request(service(of), Proto.span(1, now, "Planner", unknown))))
                        .send()))
                .isEmpty();
        String more =
                ",{\"value\":{\"kvlistValue\":{\"values\":[{\"key\":\"a\",\"value\":{\"arrayValue\":{\"values\":[]}}}]}},"
                        + "\"key\":\"any\"},{\"value\":{\"stringValue\":\"" + prompt
                        + "\"},\"key\":\"gen_ai.input.messages\"},{\"key\":\"n\",\"value\":{\"intValue\":\"5\"}},{\"later\":[1,{}]}";
        String json = TestSpans.json(service(of), TestSpans.span(2, 0, now, "Planner", 0, more))
                .replace(
                        "\"name\":\"a span\"",
                        """
                                "name":"a span","events":[{"name":"e"}],"later":{"a":[null]}\
                                """);
        assertThat(client.send(json).text()).isEqualTo("{}");
        assertThat(client.executions(of)).isEqualTo(2);
        assertThat(client.stored(of).total().failures())
                .as("error.type was read")
                .isEqualTo(1);
    }

    @Test
    void every_truncated_or_changed_message_is_taken_or_refused_and_never_fails() {
        byte[] whole = Proto.request("unmapped", Proto.span(1, now, "Planner"), Proto.span(2, now, "Planner"));
        int refused = 0;
        for (int length = 0; length < whole.length; length++) {
            Response response =
                    client.protobuf().body(Arrays.copyOf(whole, length)).send();
            assertThat(response.status()).isIn(200, 400);
            refused += response.status() == 400 ? 1 : 0;
        }
        assertThat(refused).isGreaterThan(whole.length / 2);
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            assertThat(client.protobuf().body(changed).send().status()).isIn(200, 400);
            byte[] noise = new byte[random.nextInt(100)];
            random.nextBytes(noise);
            assertThat(client.protobuf().body(noise).send().status()).isIn(200, 400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null x",
                "{}{}",
                "{\"resourceSpans\":{}}",
                "{\"resourceSpans\":[7]}",
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":7}]}]}]}",
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"endTimeUnixNano\":\"soon\"}]}]}]}",
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"endTimeUnixNano\":1.5}]}]}]}",
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"endTimeUnixNano\":-1}]}]}]}"
            })
    void undecodable_json_gets_a_status_in_json(String body) {
        assertStatus(client.send(body), 400, 3);
    }

    @Test
    void json_that_begins_like_utf_32_and_is_none_is_refused() {
        byte[] body = {0, 0, 0, ' ', 0, 0, 0, ' ', 2, 3, '[', 'Z'};
        assertStatus(client.json(TestSystem.AGENT_KEY).body(body).send(), 400, 3);
    }

    @Test
    void deep_json_is_refused_and_nulls_are_absent() {
        assertStatus(client.send("{\"a\":" + "[".repeat(500) + "]".repeat(500) + "}"), 400, 3);
        assertThat(client.send(
                                """
                                        {"resourceSpans":[{"resource":null,"scopeSpans":[{"scope":null,\
                                        "spans":null}]}]}\
                                        """)
                        .text())
                .isEqualTo("{}");
    }

    @Test
    void a_body_is_at_most_4_mb_and_16_mb_when_it_is_decompressed() {
        assertStatus(
                client.json(TestSystem.AGENT_KEY).body(new byte[4 * MB + 1]).send(), 413, 8);
        assertThat(client.protobuf().body(new byte[4 * MB + 1]).send().status()).isEqualTo(413);
        byte[] unknownField = Proto.message(Proto.varint(97 << 3 | 2), Proto.varint(15 * MB), new byte[15 * MB]);
        assertThat(bytes(gzipped(gzip(unknownField)).send())).isEmpty();
        byte[] bomb = gzip(new byte[17 * MB]);
        assertThat(bomb.length).isLessThan(20_000);
        assertThat(gzipped(bomb).send().status()).isEqualTo(413);
    }

    @Test
    void a_request_has_at_most_20000_spans_however_small() {
        byte[][] empty = new byte[20_000][0];
        Response taken = client.protobuf().body(Proto.request("s", empty)).send();
        assertThat(taken.status()).isEqualTo(200);
        assertThat(taken.header("Content-Type")).isEqualTo("application/x-protobuf");
        assertThat(client.protobuf()
                        .body(Proto.request("s", new byte[20_001][0]))
                        .send()
                        .status())
                .isEqualTo(413);
        byte[][] scopes = new byte[20_001][];
        Arrays.fill(scopes, Proto.bytes(2));
        assertThat(client.protobuf().body(Proto.bytes(1, scopes)).send().status())
                .isEqualTo(413);
    }

    @Test
    void every_resource_and_every_attribute_of_a_request_is_counted() {
        assertThat(client.send("{\"resourceSpans\":[" + repeated("{}", 20_000) + "]}")
                        .status())
                .isEqualTo(200);
        assertStatus(client.send("{\"resourceSpans\":[" + repeated("{}", 20_001) + "]}"), 413, 8);
        byte[] resources = new byte[2 * 20_001];
        for (int i = 0; i < resources.length; i += 2) {
            resources[i] = 1 << 3 | 2;
        }
        assertThat(client.protobuf().body(resources).send().status()).isEqualTo(413);
        String attributes = "{\"resourceSpans\":[{\"resource\":{\"attributes\":[" + repeated("{}", 500_001) + "]}}]}";
        assertStatus(client.send(attributes), 413, 8);
        byte[] ofSpan = new byte[2 * 500_001];
        for (int i = 0; i < ofSpan.length; i += 2) {
            ofSpan[i] = 9 << 3 | 2;
        }
        assertThat(client.protobuf().body(Proto.request("s", ofSpan)).send().status())
                .isEqualTo(413);
    }

    private static String repeated(String element, int times) {
        return (element + ",").repeat(times - 1) + element;
    }

    @Test
    void a_compression_or_an_encoding_that_is_not_of_the_protocol_is_refused() {
        assertStatus(
                client.json(TestSystem.AGENT_KEY)
                        .header("content-encoding", "br")
                        .body("{}")
                        .send(),
                415,
                3);
        assertStatus(
                client.json(TestSystem.AGENT_KEY)
                        .header("content-encoding", "gzip")
                        .body("{}")
                        .send(),
                400,
                3);
        assertThat(gzipped(Arrays.copyOf(gzip(new byte[1_000]), 20)).send().status())
                .isEqualTo(400);
        assertStatus(
                client.json(TestSystem.AGENT_KEY)
                        .header("content-type", "text/plain")
                        .body("{}")
                        .send(),
                415,
                3);
        assertThat(client.json(TestSystem.AGENT_KEY)
                        .header("content-type", "Application/JSON; charset=utf-8")
                        .body("{}")
                        .send()
                        .text())
                .isEqualTo("{}");
    }

    @Test
    void refusals_of_the_key_have_the_encoding_of_the_request() {
        assertStatus(client.json("unknown-key").body("{}").send(), 401, 16);
        assertStatus(client.json("test-viewer-key").body("{}").send(), 403, 7);
        Response response =
                client.protobuf().key("unknown-key").body(new byte[0]).send();
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.header("Content-Type")).isEqualTo("application/x-protobuf");
        assertThat(bytes(response)).startsWith(new byte[] {0x08, 16, 0x12});
    }

    @Test
    void a_busy_storage_is_a_reason_to_send_the_spans_again_and_they_count_once() {
        TestAgent of = client.newAgent();
        for (int i = 0; i < 30; i++) {
            system.faults().throttleOn(UpdateItemRequest.class);
        }
        Response response = client.send(of, span(1, now, "Planner"));
        system.faults().clear();
        assertStatus(response, 503, 14);
        assertThat(response.header("Retry-After")).isEqualTo("1");
        assertThat(client.send(of, span(1, now, "Planner")).text()).isEqualTo("{}");
        assertThat(client.send(of, span(1, now, "Planner")).text()).isEqualTo("{}");
        assertThat(client.executions(of)).isEqualTo(1);
    }

    @Test
    void a_write_whose_answer_is_lost_counts_once() {
        TestAgent of = client.newAgent();
        system.faults().loseAnswerOf(UpdateItemRequest.class);
        assertThat(client.send(of, span(1, now, "Planner")).text()).isEqualTo("{}");
        assertThat(client.executions(of)).isEqualTo(1);
    }

    private Request gzipped(byte[] body) {
        return client.protobuf().header("content-encoding", "gzip").body(body);
    }

    private static byte[] bytes(Response response) {
        return Base64.getDecoder().decode(response.text());
    }

    private static void assertStatus(Response response, int http, int code) {
        assertThat(response.status()).as(response.text()).isEqualTo(http);
        assertThat(response.header("Content-Type")).isEqualTo("application/json");
        assertThat(response.json().path("code").asInt()).isEqualTo(code);
        assertThat(response.json().path("message").asText()).isNotEmpty();
    }
}
