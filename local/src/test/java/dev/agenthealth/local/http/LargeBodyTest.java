package dev.agenthealth.local.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A large body makes the server check the key before it takes the body. */
class LargeBodyTest {

    private static final String KEY = "administrator-key-of-the-test";

    @Test
    void the_key_check_of_an_agent_is_no_refused_request() throws IOException {
        try (LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .byHand()
                .out(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)))) {
            HttpCaller caller = new HttpCaller(system.baseUrl());
            JsonNode issued = Json.received(post(caller, "/v1/admin/keys", KEY, "{\"role\":\"agent\",\"name\":\"a\"}")
                    .body());
            String agentKey = issued.path("api_key").textValue();
            assertThat(post(caller, "/api/v1/agents", agentKey, "{\"agent_id\":\"a\"}")
                            .statusCode())
                    .isEqualTo(201);
            String body =
                    """
                    {"status":"active","client_timestamp":"2026-01-01T00:00:00Z","notes":"%s"}\
                    """
                            .formatted("x".repeat(100_000));
            assertThat(post(caller, "/api/v1/agents/a/heartbeat", agentKey, body)
                            .statusCode())
                    .isEqualTo(200);
            HttpResponse<String> audit = caller.call("GET", "/v1/admin/audit", new byte[0], "X-API-Key", KEY);
            assertThat(Json.received(audit.body()).path("entries"))
                    .extracting(entry -> entry.path("action").textValue())
                    .contains("agent.registered")
                    .doesNotContain("request.refused");
        }
    }

    private static HttpResponse<String> post(HttpCaller caller, String path, String key, String body) {
        return caller.call("POST", path, body.getBytes(StandardCharsets.UTF_8), "X-API-Key", key);
    }
}
