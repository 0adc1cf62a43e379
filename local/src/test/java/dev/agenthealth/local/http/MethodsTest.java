package dev.agenthealth.local.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Methods and slashes at the end of a path, over HTTP with the routes of the template. */
class MethodsTest {

    private static final String KEY = "administrator-key-of-the-test";

    private static LocalSystem system;
    private static HttpCaller caller;

    @BeforeAll
    static void start() throws IOException {
        system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .byHand()
                .out(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)));
        caller = new HttpCaller(system.baseUrl());
        system.runSchedules();
        HttpResponse<String> registered =
                call("POST", "/api/v1/agents/", "{\"agent_id\":\"agent_1\",\"owner_key_id\":\"administrator\"}");
        assertThat(registered.statusCode()).as(registered.body()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        system.close();
    }

    private static HttpResponse<String> call(String method, String path, String body) {
        return caller.call(
                method,
                path,
                body.getBytes(StandardCharsets.UTF_8),
                "X-API-Key",
                KEY,
                "Content-Type",
                "application/json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    POST    | /api/v1/agents/agent_1/heartbeat/ | 200 |
                    POST    | /api/v1/agents/agent_1/heartbeat  | 200 |
                    GET     | /api/v1/agents/agent_1/           | 200 |
                    HEAD    | /api/v1/agents/agent_1            | 200 |
                    HEAD    | /api/v1/agents/agent_1/           | 200 |
                    HEAD    | /api/v1/agents                    | 200 |
                    HEAD    | /api/v1/agents/agent_2            | 404 |
                    HEAD    | /v1/admin/keys/                   | 200 |
                    HEAD    | /                                 | 200 |
                    GET     | /metrics/                         | 200 |
                    GET     | /.well-known/agent-health/        | 200 |
                    OPTIONS | /api/v1/agents/agent_1/heartbeat/ | 204 | POST, OPTIONS
                    OPTIONS | /                                 | 204 | GET, HEAD, OPTIONS
                    GET     | /api/v1/agents/agent_1/heartbeat  | 405 | POST, OPTIONS
                    GET     | /mcp/                             | 405 | POST, OPTIONS
                    PUT     | /p/token/                         | 405 | GET, HEAD, POST, OPTIONS
                    HEAD    | /a2a/agents/agent_1/              | 405 | POST, OPTIONS
                    PATCH   | /v1/admin/configuration           | 405 | GET, HEAD, PUT, OPTIONS
                    OPTIONS | /api/v1/nothing                   | 404 |
                    POST    | /api/v1/agents/agent_1/heartbeat//| 404 |
                    GET     | /nothing/                         | 404 |
                    """)
    void each_method_of_a_path_has_its_status(String method, String path, int status, String allowed) {
        HttpResponse<String> response = call(method, path, "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Allow").orElse(null)).isEqualTo(allowed);
        if (method.equals("HEAD") || method.equals("OPTIONS") && status == 204) {
            assertThat(response.body()).isEmpty();
        } else if (status >= 400) {
            assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        }
    }

    @Test
    void mcp_and_a_ping_take_a_slash_at_the_end() {
        String body = """
                {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
                """;
        assertThat(call("POST", "/mcp/", body).body()).contains("find_agents");
        String url =
                call("POST", "/api/v1/agents/agent_1/ping-url/", "").body().replaceAll(".*\"(http[^\"]+)\".*", "$1");
        String path = url.substring(url.indexOf("/p/"));
        assertThat(caller.call("GET", path + "/").statusCode()).isEqualTo(200);
        assertThat(caller.call("POST", path + "/start/").body()).contains("\"received\":\"start\"");
        assertThat(caller.call("HEAD", path + "/0/").statusCode()).isEqualTo(200);
        assertThat(caller.call("POST", path + "/", new byte[100_000]).statusCode())
                .isEqualTo(200);
    }
}
