package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.EventCheck;
import dev.agenthealth.local.testing.FanOut;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The deployed system's own template: that every function starts, and that its schedules, streams and rules fit together. */
class DeployedSystemTest {

    private static final String KEY = "test-administrator-key";

    private final MutableClock clock = MutableClock.atExampleTime();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    private LocalOptions options() {
        return LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .out(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    private static void register(LocalSystem system, String agentId) {
        String agent = "{\"agent_id\":\"" + agentId
                + "\",\"owner_key_id\":\"administrator\",\"role_id\":\"r1\",\"capabilities\":[\"x\"],"
                + "\"endpoint\":\"https://agent.example.com\",\"heartbeat_config\":{\"interval_seconds\":5,"
                + "\"unhealthy_after_seconds\":10,\"dead_after_seconds\":20}}";
        int status = new HttpCaller(system.baseUrl())
                .call(
                        "POST",
                        "/api/v1/agents",
                        agent.getBytes(StandardCharsets.UTF_8),
                        "content-type",
                        "application/json",
                        "x-api-key",
                        KEY)
                .statusCode();
        assertThat(status).isEqualTo(201);
    }

    private static List<String> statuses(LocalSystem system, String agentId) {
        return system.matchedEvents().stream()
                .filter(event -> event.path("detail-type").asText().equals("agent.lifecycle"))
                .map(event -> event.path("detail"))
                .filter(detail -> detail.path("agent_id").asText().equals(agentId))
                .map(detail -> detail.path("new_status").asText())
                .toList();
    }

    @Test
    @Tag("R16-10")
    void heartbeats_arrive_through_the_function_url_too() throws IOException {
        try (LocalSystem system = LocalSystem.start(options().heartbeatUrlPort(0))) {
            register(system, "agent_url");
            RegistryCaller caller = new RegistryCaller(system.baseUrl(), KEY);
            String url = caller.get("/api/v1/agents/agent_url")
                    .json()
                    .path("heartbeat_url")
                    .asText();
            assertThat(url)
                    .matches("http://localhost:\\d+/api/v1/agents/agent_url/heartbeat")
                    .doesNotContain(system.baseUrl());
            String origin = url.substring(0, url.indexOf("/api"));
            RegistryCaller direct = new RegistryCaller(origin, KEY);
            clock.advanceSeconds(5);
            RegistryCaller.Answer answer = direct.post("/api/v1/agents/agent_url/heartbeat");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().path("next_heartbeat_in_seconds").asInt()).isBetween(1, 5);
            assertThat(caller.get("/api/v1/agents/agent_url")
                            .json()
                            .path("last_heartbeat_at")
                            .asText())
                    .isEqualTo(Timestamps.text(clock.instant()));
            assertThat(direct.get("/api/v1/agents/agent_url").error()).isEqualTo("route_not_found");

            for (int i = 0; i < 12; i++) {
                system.runSchedules();
                clock.advanceSeconds(5);
            }
            assertThat(caller.get("/api/v1/agents/agent_url")
                            .json()
                            .path("status")
                            .asText())
                    .as("the self-check uses both addresses")
                    .isEqualTo("dead");
            assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("canary_");
        }
    }

    @Test
    void every_schedule_runs_with_what_the_scheduler_sends() throws IOException {
        try (LocalSystem system = LocalSystem.start(options())) {
            system.runSchedules();
            assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("failed");
        }
    }

    @Tag("SYS-05")
    @ParameterizedTest
    @ValueSource(ints = {200_000, 1})
    void silent_agents_get_on_the_bus_whether_or_not_the_sweep_is_shared_out(int fanOutAgents) throws IOException {
        try (LocalSystem system = LocalSystem.start(options())) {
            FanOut.above(fanOutAgents, system.dynamoDb());
            register(system, "a1");
            register(system, "a2");
            for (int tick = 0; tick < 6; tick++) {
                system.runSchedules();
                clock.advanceSeconds(5);
            }
            system.drainStreams();
            assertThat(statuses(system, "a1")).containsExactly("active", "unhealthy", "dead");
            assertThat(statuses(system, "a2")).containsExactly("active", "unhealthy", "dead");
            EventCheck.run(system);
            assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("failed");
        }
    }

    @Test
    @Tag("AHS-09")
    @Tag("SYS-02")
    void the_default_window_of_the_configuration_reaches_agents_that_register() throws IOException {
        try (LocalSystem system = LocalSystem.start(options())) {
            register(system, "a1");
            String configuration = body(system, "/v1/admin/configuration");
            assertThat(configuration).contains("\"default_window_seconds\":86400");
            assertThat(call(system, "PUT", "/v1/admin/configuration", configuration.replace(":86400", ":7200")))
                    .isEqualTo(200);
            clock.advanceSeconds(60);
            register(system, "a2");
            assertThat(body(system, "/api/v1/agents/a2")).contains("\"expectations\":{\"window_seconds\":7200}");
            assertThat(body(system, "/api/v1/agents/a1")).doesNotContain("7200");
        }
    }

    @ParameterizedTest
    @CsvSource({"administrator, 200", "coordinator, 403", "viewer, 403", "agent, 403"})
    void the_pages_of_the_local_run_take_issued_keys_of_administrators(String role, int status) throws IOException {
        try (LocalSystem system = LocalSystem.start(options())) {
            HttpCaller caller = new HttpCaller(system.baseUrl());
            byte[] body = ("{\"role\":\"" + role + "\"}").getBytes(StandardCharsets.UTF_8);
            String issued = Json.read(caller.call("POST", "/v1/admin/keys", body, "x-api-key", KEY)
                            .body())
                    .path("api_key")
                    .asText();
            assertThat(caller.call("GET", "/_local/bus", new byte[0], "x-api-key", issued)
                            .statusCode())
                    .isEqualTo(status);
        }
    }

    @Test
    @Tag("SYS-05")
    @Tag("SYS-06")
    void events_are_sent_to_the_bus_once_more_and_an_agent_is_erased() throws IOException {
        try (LocalSystem system = LocalSystem.start(options())) {
            register(system, "a1");
            system.drainStreams();
            clock.advanceSeconds(10);
            assertThat(call(system, "POST", "/v1/admin/events/republish", "{\"from\":\"2026-02-08T10:00:00Z\"}"))
                    .isEqualTo(200);
            assertThat(system.matchedEvents().stream()
                            .map(event -> event.path("detail").path("event_id").asText())
                            .filter(id -> id.startsWith("agent:")))
                    .as("the rule of the template matches it as it did first")
                    .containsExactly("agent:a1:1", "agent:a1:1");
            assertThat(call(system, "DELETE", "/v1/admin/agents/a1", "")).isEqualTo(409);
            assertThat(call(system, "DELETE", "/api/v1/agents/a1", "")).isEqualTo(204);
            system.runSchedules();
            assertThat(call(system, "DELETE", "/v1/admin/agents/a1", "")).isEqualTo(202);
            assertThat(call(system, "GET", "/api/v1/agents/a1", "")).isEqualTo(404);
            clock.advanceSeconds(120);
            assertThat(call(system, "DELETE", "/v1/admin/agents/a1", "")).isEqualTo(204);
        }
    }

    private static int call(LocalSystem system, String method, String path, String body) {
        return answer(system, method, path, body).statusCode();
    }

    private static String body(LocalSystem system, String path) {
        return answer(system, "GET", path, "").body();
    }

    private static HttpResponse<String> answer(LocalSystem system, String method, String path, String body) {
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
}
