package dev.agenthealth.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A notification of an agent has no key of the registry, and may be larger than other requests without one. */
@Timeout(60)
@Tag("slow")
class LargeNotificationTest {

    private static final String SEND =
            """
                    {"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"Hello"}]},\
                    "configuration":{"taskPushNotificationConfig":{"url":"http://127.0.0.1:1/"}}}\
                    """;

    @AutoClose
    private final LocalGateway gateway = new LocalGateway();

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicReference<JsonNode> config = new AtomicReference<>();

    @Test
    void its_own_secret_lets_it_be_large() throws IOException, InterruptedException {
        HttpServer agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        agent.createContext("/", exchange -> answer(exchange, agent.getAddress().getPort()));
        agent.start();
        try {
            gateway.register(
                    "a", "acme-labs", "http://127.0.0.1:" + agent.getAddress().getPort() + "/");
            String send = gateway.system().baseUrl() + "/a2a/agents/a/message:send";
            assertThat(post(send, "X-API-Key", "test-administrator-key", SEND)).isEqualTo(200);
            String large =
                    """
                            {"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"},"metadata":{"text":"\
                            """
                            + "x".repeat(200_000)
                            + "\"}}}";
            String url = config.get().path("url").asText();
            String secret = config.get().path("token").asText();
            assertThat(post(url, "X-A2A-Notification-Token", secret, large)).isEqualTo(204);
            assertThat(post(url, "Authorization", "Bearer " + secret, large)).isEqualTo(204);
            assertThat(post(url, "X-A2A-Notification-Token", "another", large)).isEqualTo(401);
        } finally {
            agent.stop(0);
        }
    }

    private int post(String url, String header, String value, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header(header, value)
                .header("A2A-Version", "1.0")
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString()).statusCode();
    }

    private void answer(HttpExchange exchange, int port) throws IOException {
        String answer = "{\"name\":\"Own\",\"url\":\"http://127.0.0.1:" + port
                + "/\",\"capabilities\":{\"pushNotifications\":true}}";
        if (exchange.getRequestMethod().equals("POST")) {
            JsonNode call = Json.read(exchange.getRequestBody().readAllBytes());
            // An agent that registers without a version speaks 0.3.
            config.set(call.at("/params/configuration/pushNotificationConfig"));
            answer = "{\"jsonrpc\":\"2.0\",\"id\":\"" + call.path("id").asText()
                    + "\",\"result\":{\"kind\":\"task\",\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"working\"}}}";
        }
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
