package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Gzip;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests that are compressed, or begin with a byte order mark. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContentEncodingTest {

    private static final String MCP_LIST =
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
            """;
    private static final String WORKFLOW = "agents:\n  r:\n    role_id: encoded\n";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private Request request(String method, String path, String encoding, byte[] body) {
        return system.api()
                .request(method, path)
                .key(path.equals("/api/v1/agents") ? TestSystem.AGENT_KEY : TestSystem.ADMINISTRATOR_KEY)
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .header("content-encoding", encoding)
                .body(body)
                .undescribed();
    }

    private Response send(String path, String encoding, byte[] body) {
        return request("POST", path, encoding, body).send();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZip", "x-gzip", "identity, gzip", " gzip "})
    void a_body_may_be_compressed_by_gzip(String encoding) {
        TestAgent agent = TestAgent.registered(
                system, "agent_" + encoding.replaceAll("[^a-zA-Z-]", "_").strip());
        Response response = system.api()
                .post(agent.heartbeatPath())
                .key(TestSystem.AGENT_KEY)
                .header("content-encoding", encoding)
                .body(Gzip.of(utf8(TestAgent.HEARTBEAT_BODY.formatted("2026-02-08T10:30:00Z"))))
                .undescribed()
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | /api/v1/agents | {} | 201",
                "POST | /api/v1/heartbeats | {\"heartbeats\":[]} | 200",
                "PUT | /api/v1/workflows/encoded | WORKFLOW | 201",
                "POST | /mcp | MCP | 200",
                "POST | /v1/admin/sources/encoded/sync | {\"document\":{}} | 400"
            })
    void every_kind_of_body_may_be_compressed_and_begin_with_a_byte_order_mark(
            String method, String path, String shown, int status) {
        String body = shown.replace("WORKFLOW", WORKFLOW).replace("MCP", MCP_LIST);
        String plain = request(method, path, "", utf8(body)).send().text();
        for (String marked : new String[] {body, "\ufeff" + body}) {
            Response response =
                    request(method, path, "gzip", Gzip.of(utf8(marked))).send();
            assertThat(response.status()).as(response.text()).isIn(status, 200);
            assertThat(response.text().contains("errors")).isEqualTo(plain.contains("errors"));
            assertThat(request(method, path, "", utf8(marked)).send().status()).isIn(status, 200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "deflate", "zstd", "gzip, gzip", "gzip, br", "x", "gzip;q=1"})
    void another_encoding_gets_415_and_the_name_of_the_accepted_one(String encoding) {
        Response response = send("/api/v1/agents", encoding, utf8("{}"));
        assertThat(response.status()).isEqualTo(415);
        assertThat(response.json().path("error").textValue()).isEqualTo("unsupported_media_type");
        assertThat(response.header("Accept-Encoding")).isEqualTo("gzip, identity");
    }

    @Test
    void an_empty_body_has_no_encoding_to_check() {
        TestAgent agent = TestAgent.registered(system, "agent_empty");
        assertThat(system.api()
                        .post(agent.heartbeatPath())
                        .key(TestSystem.AGENT_KEY)
                        .header("content-encoding", "gzip")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void what_is_no_gzip_or_no_whole_one_gets_400() {
        byte[] whole = Gzip.of(utf8("{\"name\":\"" + "x".repeat(500) + "\"}"));
        assertThat(send("/api/v1/agents", "gzip", utf8("{}")).status()).isEqualTo(400);
        assertThat(send("/api/v1/agents", "gzip", Arrays.copyOf(whole, whole.length - 4))
                        .status())
                .isEqualTo(400);
        byte[] changed = whole.clone();
        changed[changed.length - 6] ^= 1;
        assertThat(send("/api/v1/agents", "gzip", changed).status())
                .as("the checksum is wrong")
                .isEqualTo(400);
        assertThat(send("/api/v1/agents", "gzip", Gzip.of(new byte[] {(byte) 0xff}))
                        .status())
                .as("no UTF-8")
                .isEqualTo(400);
    }

    @Test
    void the_maximum_size_holds_after_a_body_is_decompressed() {
        String fits = "{}" + " ".repeat(ApiRequest.MAX_BODY_BYTES - 2);
        assertThat(send("/api/v1/agents", "gzip", Gzip.of(utf8(fits))).status()).isEqualTo(201);
        Response larger = send("/api/v1/agents", "gzip", Gzip.of(utf8(fits + " ")));
        assertThat(larger.status()).isEqualTo(413);
        assertThat(larger.json().path("detail").textValue())
                .isEqualTo("The decompressed request body may have at most 262144 bytes.");
        byte[] bomb = Gzip.of(new byte[200 * 1_024 * 1_024]);
        assertThat(bomb.length).isLessThan(ApiRequest.MAX_BODY_BYTES);
        assertThat(send("/api/v1/agents", "gzip", bomb).status()).isEqualTo(413);
    }

    @Test
    void a_key_that_is_not_valid_learns_nothing_of_encodings() {
        Response response = system.api()
                .post("/api/v1/agents/a/heartbeat")
                .key("unknown")
                .header("content-encoding", "br")
                .body(utf8("{}"))
                .undescribed()
                .send();
        assertThat(response.status()).isEqualTo(401);
    }
}
