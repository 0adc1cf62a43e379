package dev.agenthealth.local.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.runtime.wiring.MailServer.Mail;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents of the local run die, and a real receiver is notified by every kind of target, also over a restart. */
@Tag("slow")
class NotificationsTest {

    private static final String KEY = "test-administrator-key";
    private static final String RULES = "/v1/admin/notifications";
    private static final String ROUTING_KEY = "0123456789abcdef0123456789abcdef";

    private final MutableClock clock = MutableClock.atExampleTime();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<Mail> mails = new CopyOnWriteArrayList<>();
    private final HttpServer receiver = receiver();
    private volatile int statusOfWebhook = 204;

    @TempDir
    private Path folder;

    private record Received(String path, String id, String timestamp, String signature, String body) {

        JsonNode json() {
            try {
                return Json.read(body);
            } catch (IOException e) {
                throw new AssertionError(body, e);
            }
        }
    }

    @AfterEach
    void close() {
        receiver.stop(0);
    }

    @Test
    void dead_agents_are_one_message_and_a_restart_loses_no_recovery() throws Exception {
        String secret;
        try (LocalSystem system = start()) {
            secret = writeRules(system);
            assertThat(call(system, "POST", RULES + "/hook/test", "").body()).contains("\"delivered\":true");
            assertThat(at("/hook")).singleElement().satisfies(test -> assertThat(test.id())
                    .startsWith("test_"));
            received.clear();
            for (String agent : List.of("a1", "a2", "a3")) {
                register(system, agent, 201);
            }
            pass(system, 6, "");
            assertThat(system.queueSize("NotificationDeadLetters")).isZero();
            assertThat(at("/slack")).hasSize(1);
            assertThat(at("/slack").get(0).body()).contains("a1", "a2", "a3");
            assertThat(at("/v2/enqueue"))
                    .extracting(event -> event.json().path("event_action").asText())
                    .containsExactly("trigger", "trigger", "trigger");
            Received webhook = at("/hook").get(0);
            assertThat(at("/hook")).hasSize(1);
            assertThat(webhook.signature()).isEqualTo(signature(webhook, secret));
            assertThat(webhook.json().path("data").path("total").asInt()).isEqualTo(3);
            assertThat(mails).extracting(Mail::to).containsExactly("on-call@example.com");
            assertThat(mails.get(0).text()).contains("a1", "a2", "a3");
            received.clear();
            statusOfWebhook = 503;
            register(system, "a1", 201);
            pass(system, 3, "a1");
            assertThat(at("/hook")).isNotEmpty();
            assertThat(at("/v2/enqueue"))
                    .extracting(event -> event.json().path("event_action").asText())
                    .containsExactly("resolve");
            assertThat(get(system).path("last_error").asText()).contains("503");
            assertNothingSecret(system, secret);
        }
        String id = at("/hook").get(0).id();
        received.clear();
        statusOfWebhook = 204;
        try (LocalSystem system = start()) {
            clock.advance(Duration.ofMinutes(15));
            system.runSchedules();
            assertThat(at("/hook")).singleElement().satisfies(recovery -> {
                assertThat(recovery.id()).isEqualTo(id);
                assertThat(recovery.signature()).isEqualTo(signature(recovery, secret));
            });
            assertThat(get(system).has("last_error")).isFalse();
        }
    }

    private String writeRules(LocalSystem system) throws IOException {
        String rule =
                """
                        {"events":["agent.lifecycle"],"filter":{"severities":["error"]},"group_seconds":20,\
                        "target":%s}\
                        """;
        HttpResponse<String> written = call(
                system,
                "PUT",
                RULES + "/hook",
                rule.formatted("{\"type\":\"webhook\",\"url\":\"" + url("/hook?token=query-secret") + "\"}"));
        assertThat(written.statusCode()).as(written.body()).isEqualTo(201);
        call(system, "PUT", RULES + "/slack", rule.formatted("{\"type\":\"slack\",\"url\":\"" + url("/slack") + "\"}"));
        call(
                system,
                "PUT",
                RULES + "/duty",
                rule.formatted("{\"type\":\"pagerduty\",\"routing_key\":\"" + ROUTING_KEY + "\",\"url\":\""
                        + url("/v2/enqueue") + "\"}"));
        call(
                system,
                "PUT",
                RULES + "/mail",
                rule.formatted("{\"type\":\"email\",\"address\":\"on-call@example.com\"}"));
        return Json.read(written.body()).path("target").path("secret").asText();
    }

    /** No answer, no log line and no file of the data folder holds a secret in the clear. */
    private void assertNothingSecret(LocalSystem system, String secret) throws IOException {
        StringBuilder all = new StringBuilder(call(system, "GET", RULES, "").body());
        all.append(output.toString(StandardCharsets.UTF_8));
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        assertThat(all.indexOf(secret)).isNegative();
        assertThat(all.indexOf("query-secret")).isNegative();
        assertThat(all.indexOf(ROUTING_KEY)).isNegative();
        assertThat(all.indexOf("on-call") + all.indexOf("hook")).isPositive();
    }

    private LocalSystem start() throws IOException {
        return LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .dataFolder(folder)
                .allowLoopbackEndpoints()
                .mailServer(mails::add)
                .sweepPeriod(Duration.ofSeconds(5))
                .out(new PrintStream(output, true, StandardCharsets.UTF_8)));
    }

    /** Ten seconds each: sweep, bus, and in the next one the notifications. */
    private void pass(LocalSystem system, int times, String alive) {
        for (int i = 0; i < times; i++) {
            clock.advanceSeconds(10);
            if (!alive.isEmpty()) {
                String heartbeat = "{\"status\":\"active\",\"client_timestamp\":\"" + clock.instant() + "\"}";
                assertThat(call(system, "POST", "/api/v1/agents/" + alive + "/heartbeat", heartbeat)
                                .statusCode())
                        .isEqualTo(200);
            }
            system.runSchedules();
            system.drainStreams();
        }
    }

    private static void register(LocalSystem system, String agentId, int status) {
        String body = "{\"agent_id\":\"" + agentId
                + "\",\"owner_key_id\":\"administrator\",\"heartbeat_config\":"
                + "{\"interval_seconds\":5,\"unhealthy_after_seconds\":10,\"dead_after_seconds\":20}}";
        HttpResponse<String> answer = call(system, "POST", "/api/v1/agents", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    }

    private static JsonNode get(LocalSystem system) throws IOException {
        return Json.read(call(system, "GET", RULES + "/hook", "").body());
    }

    private static HttpResponse<String> call(LocalSystem system, String method, String path, String body) {
        return new HttpCaller(system.baseUrl())
                .call(
                        method,
                        path,
                        body.getBytes(StandardCharsets.UTF_8),
                        "content-type",
                        "application/json",
                        "x-api-key",
                        KEY);
    }

    private List<Received> at(String path) {
        return received.stream().filter(one -> one.path().equals(path)).toList();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
    }

    /** Standard Webhooks: HMAC-SHA256 over id, timestamp and body. */
    private static String signature(Received webhook, String secret) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        String signed = webhook.id() + "." + webhook.timestamp() + "." + webhook.body();
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }

    private HttpServer receiver() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                String path = exchange.getRequestURI().getPath();
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                var headers = exchange.getRequestHeaders();
                received.add(new Received(
                        path,
                        headers.getFirst("webhook-id"),
                        headers.getFirst("webhook-timestamp"),
                        headers.getFirst("webhook-signature"),
                        body));
                int status = path.equals("/hook") ? statusOfWebhook : path.equals("/slack") ? 200 : 202;
                exchange.sendResponseHeaders(status, -1);
                exchange.close();
            });
            server.start();
            return server;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
