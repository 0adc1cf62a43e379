package dev.agenthealth.local.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.local.testing.TestTemplate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiServerTest {

    private static final int TEN_MEGABYTES = 10 * 1024 * 1024;

    private static final ByteArrayOutputStream LOG = new ByteArrayOutputStream();

    @AutoClose
    private static LocalSystem system;

    private static HttpCaller caller;

    @BeforeAll
    static void start() throws IOException {
        system = LocalSystem.start(TestTemplate.byHand().out(new PrintStream(LOG, true, StandardCharsets.UTF_8)));
        caller = new HttpCaller(system.baseUrl());
    }

    @Test
    void takes_a_request_to_its_function_and_the_answer_back() {
        byte[] body = "{\"a\":\"ü\"}".getBytes(StandardCharsets.UTF_8);
        HttpResponse<String> response = caller.call("POST", "/echo/x%2Fy", body, "content-type", "application/json");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"a\":\"ü\"}");
        assertThat(response.headers().firstValue("x-id")).contains("x/y");
        assertThat(response.headers().firstValue("content-type")).contains("application/json");
        assertThat(response.headers().firstValue("apigw-requestid")).isPresent();
    }

    @Test
    void a_binary_body_comes_back_as_it_was_sent() {
        byte[] body = {0, 1, (byte) 0xfe, (byte) 0xff};
        HttpResponse<byte[]> response = caller.download("/odd/binary");
        assertThat(response.body()).containsExactly(0, 0xff, 1);
        assertThat(caller.call("POST", "/echo/x", body).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nowhere",
        "GET, /",
        "DELETE, /echo/x",
        "HEAD, /echo/x",
        "OPTIONS, /echo/x",
        "POST, /echo/",
        "POST, /echo",
        "POST, /echo/x/y"
    })
    void an_unknown_route_is_not_found(String method, String path) {
        HttpResponse<String> response = caller.call(method, path);
        assertThat(response.statusCode()).isEqualTo(404);
        if (method.equals("HEAD")) {
            assertThat(response.body()).isEmpty();
        } else {
            assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
            assertThat(response.body()).contains("\"error\":\"route_not_found\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "overflows", "nothing", "status", "header", "base64"})
    void a_failed_function_is_answered_without_details(String what) {
        HttpResponse<String> response = caller.call("GET", "/odd/" + what);
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).contains("\"error\":\"internal_error\"").doesNotContain("secret");
    }

    @Test
    void a_failure_is_in_the_log() {
        caller.call("GET", "/odd/throws");
        assertThat(LOG.toString(StandardCharsets.UTF_8))
                .contains("function_failed")
                .contains("a secret detail");
    }

    @Test
    void cookies_and_repeated_headers_are_separate() {
        HttpResponse<String> response = caller.call("GET", "/odd/cookies");
        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.headers().allValues("set-cookie")).containsExactlyInAnyOrder("a=1", "b=2");
        assertThat(response.headers().allValues("x-many")).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void headers_of_the_connection_are_the_servers_own() {
        HttpResponse<String> response = caller.call("GET", "/odd/length");
        assertThat(response.body()).isEqualTo("four");
        assertThat(response.headers().firstValue("content-length")).contains("4");
        assertThat(response.headers().firstValue("content-type")).contains("text/plain;charset=UTF-8");
    }

    @Test
    void a_request_has_two_minutes_on_a_machine_that_stalls_and_is_not_answered_that_the_registry_is_busy() {
        assertThat(caller.call("GET", "/odd/time").body()).matches("EchoFunction (120000|119\\d\\d\\d)");
    }

    @Test
    void a_body_up_to_ten_megabytes_is_taken() {
        assertThat(caller.call("POST", "/echo/x", new byte[TEN_MEGABYTES]).statusCode())
                .isEqualTo(200);
        HttpResponse<String> refused = caller.call("POST", "/echo/x", new byte[TEN_MEGABYTES + 1]);
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("\"error\":\"payload_too_large\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/echo/%",
                "/echo/%zz",
                "/echo/%FF",
                "/echo/%C0%AF",
                "/echo/x?a=%",
                "/echo/x?a=%C3%28",
                "/echo/\u00fc",
                "/echo/<x>"
            })
    void a_target_that_cannot_be_decoded_is_a_bad_request(String target) {
        String answer = caller.raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "mailto:x", "//echo/x", "http://localhost/nowhere"})
    void unusual_targets_are_answered_or_refused(String target) {
        String answer = caller.raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).doesNotContain("HTTP/1.1 200").doesNotContain("HTTP/1.1 500");
        assertThat(caller.call("GET", "/echo/x").statusCode()).isEqualTo(200);
    }

    @Test
    void an_absolute_target_is_fine() {
        String answer =
                caller.raw("GET http://example.com/echo/x HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void functions_get_the_templates_environment_adapted_to_this_machine() {
        assertThat(caller.call("GET", "/environment/TABLE").body()).isEqualTo(TestTemplate.TABLE);
        assertThat(caller.call("GET", "/environment/BUS").body()).isEqualTo(TestTemplate.BUS);
        assertThat(caller.call("GET", "/environment/PUBLIC_URL").body()).isEqualTo(system.baseUrl());
        assertThat(caller.call("GET", "/environment/SWEEP_PERIOD_SECONDS").body())
                .isEqualTo("5");
    }

    @Test
    void the_self_check_has_a_way_of_its_own_in() {
        String ownWay = caller.call("GET", "/environment/SELF_CHECK_PUBLIC_URL").body();
        assertThat(ownWay).matches("http://127\\.0\\.0\\.1:\\d+").isNotEqualTo(system.baseUrl());
        assertThat(new HttpCaller(ownWay).call("GET", "/echo/x").statusCode()).isEqualTo(200);
    }
}
