package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call sends, and which answers it accepts. */
@Tag("SN-07")
class PinnedHttpClientTest extends PinnedHttpCalls {

    @Test
    void a_response_is_returned_completely() {
        ScriptedServer server = http().plays(Script.body("{\"ä\":1}"));
        assertThat(text(post(server, LONG))).isEqualTo("{\"ä\":1}");
    }

    @Test
    void the_text_of_a_response_is_without_its_byte_order_mark() {
        ScriptedServer server = http().plays(Script.body("\ufeff{\"ä\":1}"));
        HttpQuestion question = HttpQuestion.post(Map.of(), "{}");
        assertThat(client.ask(to("http://" + HOST + ":" + server.port() + "/", loopback()), question, LONG)
                        .text())
                .isEqualTo("{\"ä\":1}");
    }

    @Test
    void a_request_has_the_required_headers_and_nothing_about_the_sender() {
        ScriptedServer server = http().plays(Script.body("{}"));
        client.send(
                to("http://" + HOST + ":" + server.port() + "/a/b?c=d", loopback()),
                HttpQuestion.post(Map.of("A2A-Version", "1.0"), "{\"x\":\"ä\"}"),
                LONG);
        assertThat(server.requests()).singleElement().satisfies(request -> {
            assertThat(request.line()).isEqualTo("POST /a/b?c=d HTTP/1.1");
            assertThat(request.headers())
                    .isEqualTo(Map.of(
                            "host", HOST + ":" + server.port(),
                            "user-agent", "agent-health",
                            "accept", "application/json",
                            "content-type", "application/json",
                            "content-length", "10",
                            "connection", "close",
                            "a2a-version", "1.0"));
            assertThat(request.body()).isEqualTo("{\"x\":\"ä\"}");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//evil.example/x", "/http://evil.example/", "/?http://evil.example", "/%0d%0aX:%20y"})
    void the_target_is_sent_as_it_is_and_names_no_other_host(String target) {
        ScriptedServer server = http().plays(Script.body("{}"));
        client.send(
                to("http://" + HOST + ":" + server.port() + target, loopback()), HttpQuestion.post(Map.of(), ""), LONG);
        assertThat(server.requests()).singleElement().satisfies(request -> assertThat(request.line())
                .isEqualTo("POST " + target + " HTTP/1.1"));
    }

    @Test
    void the_name_is_not_resolved_again() {
        ScriptedServer server = http().plays(Script.body("{}"));
        // No host name has this ending, so it cannot be resolved.
        assertThat(text(post(
                        client,
                        to("http://nowhere.invalid:" + server.port(), loopback()),
                        Map.of(),
                        new byte[0],
                        LONG)))
                .isEqualTo("{}");
    }

    @Test
    void no_proxy_is_used() {
        ProxySelector usual = ProxySelector.getDefault();
        AtomicInteger asked = new AtomicInteger();
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                asked.incrementAndGet();
                return List.of(Proxy.NO_PROXY);
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException e) {
                asked.incrementAndGet();
            }
        });
        try {
            assertThat(text(post(http().plays(Script.body("{}")), LONG))).isEqualTo("{}");
            assertThat(asked).hasValue(0);
        } finally {
            ProxySelector.setDefault(usual);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "300, REDIRECT",
        "301, REDIRECT",
        "302, REDIRECT",
        "303, REDIRECT",
        "307, REDIRECT",
        "308, REDIRECT",
        "304, REDIRECT",
        "400, MESSAGE_REFUSED",
        "401, CLIENT_ERROR",
        "404, CLIENT_ERROR",
        "407, CLIENT_ERROR",
        "413, MESSAGE_REFUSED",
        "415, MESSAGE_REFUSED",
        "422, MESSAGE_REFUSED",
        "429, OVERLOADED",
        "499, CLIENT_ERROR",
        "500, SERVER_ERROR",
        "502, SERVER_ERROR",
        "503, SERVER_ERROR",
        "599, SERVER_ERROR",
        "600, SERVER_ERROR"
    })
    void a_status_other_than_success_is_a_failure_and_redirects_are_not_followed(
            int status, InvocationFailure failure) {
        ScriptedServer elsewhere = http();
        ScriptedServer server = http().plays(Script.status(
                status,
                "Location: http://127.0.0.1:" + elsewhere.port() + "/",
                "Proxy-Authenticate: Basic realm=\"x\"",
                "WWW-Authenticate: Basic realm=\"x\"",
                "Retry-After: 0"));
        assertThat(failure(post(server, LONG))).isEqualTo(failure);
        assertThat(elsewhere.connections()).isZero();
        assertThat(server.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 299})
    void every_2xx_status_is_a_success(int status) {
        ScriptedServer server = http().plays(Script.status(status));
        assertThat(text(post(server, LONG))).isEmpty();
    }

    @Test
    void an_answer_without_a_body_is_empty() {
        ScriptedServer server = http().plays(Script.bytes("HTTP/1.1 204 No Content\r\n\r\n"));
        assertThat(text(post(server, LONG))).isEmpty();
    }

    @Test
    void a_body_of_the_maximum_size_is_accepted_and_one_byte_more_is_not() {
        String largest = "x".repeat(PinnedHttpClient.MAX_BYTES);
        ScriptedServer server = http().plays(Script.body(largest));
        assertThat(text(post(server, LONG))).isEqualTo(largest);
        server.plays(Script.body(largest + "x"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.TOO_LARGE);
        server.plays(Script.bytes("HTTP/1.1 200 OK\r\n\r\n" + largest));
        assertThat(text(post(server, LONG))).isEqualTo(largest);
        server.plays(Script.bytes("HTTP/1.1 200 OK\r\n\r\n" + largest + "x"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.TOO_LARGE);
        server.plays(Script.bytes(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40001\r\n" + largest + "x\r\n0\r\n\r\n"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.TOO_LARGE);
    }

    @Test
    void interim_responses_before_the_final_one_are_skipped() {
        ScriptedServer server = http().plays(
                        Script.bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"
                                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
        assertThat(text(post(server, LONG))).isEqualTo("{}");
        server.plays(Script.bytes("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.CONNECTION_LOST);
    }

    @Test
    void compression_is_neither_requested_nor_decoded() {
        ScriptedServer server = http().plays(Script.body("zipped", "Content-Encoding: gzip"));
        assertThat(text(post(server, LONG))).isEqualTo("zipped");
        assertThat(server.requests().get(0).headers()).doesNotContainKey("accept-encoding");
    }

    @Test
    void no_cookie_is_sent_back() {
        ScriptedServer server = http().plays(Script.body("{}", "Set-Cookie: a=b"));
        post(server, LONG);
        post(server, LONG);
        assertThat(server.requests()).hasSize(2).allSatisfy(request -> assertThat(request.headers())
                .doesNotContainKey("cookie"));
        assertThat(server.connections())
                .as("each call has a connection of its own")
                .isEqualTo(2);
    }
}
