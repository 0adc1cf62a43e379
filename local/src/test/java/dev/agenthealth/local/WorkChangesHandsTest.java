package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.local.testing.EventCheck;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The README's story on the local run: a rolling restart that loses no task, and a crash whose work goes to another. */
@Tag("slow")
class WorkChangesHandsTest {

    private static final String KEY = "test-administrator-key";
    private static final String LEASES = "/api/v1/intents/invoice_42/leases";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final MutableClock clock = MutableClock.atExampleTime();

    private record Answer(int status, JsonNode json) {}

    @Test
    @Tag("R16-14")
    @Tag("R16-17")
    @Tag("R16-19")
    @Tag("R16-26")
    @Tag("R16-29")
    void a_rolling_restart_loses_no_task_and_the_work_of_a_crashed_agent_is_taken_over() throws IOException {
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .sweepPeriod(Duration.ofSeconds(5))
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (LocalSystem system = LocalSystem.start(options)) {
            system.runSchedules();
            register(system, "billing_a");
            register(system, "billing_b");
            Answer first = lease(system, "billing_a");
            assertThat(first.status()).isEqualTo(201);
            assertThat(lease(system, "billing_b").status()).isEqualTo(409);

            assertThat(call(system, "POST", "/api/v1/agents/billing_a/commands", "{\"command\":\"drain\"}")
                            .status())
                    .isEqualTo(202);
            assertThat(heartbeat(system, "billing_a", "active")
                            .json()
                            .path("pending_commands")
                            .findValuesAsText("command"))
                    .containsExactly("drain");
            assertThat(heartbeat(system, "billing_a", "draining")
                            .json()
                            .path("agent_status")
                            .asText())
                    .isEqualTo("draining");
            assertThat(offered(system)).containsExactly("billing_b");
            assertThat(call(
                                    system,
                                    "DELETE",
                                    LEASES + "/" + first.json().path("id").asText(),
                                    "")
                            .status())
                    .isEqualTo(204);
            assertThat(status(system, "billing_a")).isEqualTo("deregistered");

            Answer second = lease(system, "billing_b");
            register(system, "billing_c");
            for (int i = 0; i < 6; i++) {
                clock.advanceSeconds(5);
                heartbeat(system, "billing_c", "active");
                system.runSchedules();
            }
            assertThat(status(system, "billing_b")).isEqualTo("dead");
            JsonNode events =
                    call(system, "GET", "/api/v1/intents/invoice_42/events", "").json();
            assertThat(events.path("events").findValuesAsText("type"))
                    .containsExactly("lease.acquired", "lease.released", "lease.acquired", "lease.expired");
            assertThat(events.path("events").get(3).path("reason").asText()).isEqualTo("agent_dead");
            Answer third = lease(system, "billing_c");
            assertThat(third.status()).isEqualTo(201);
            assertThat(third.json().path("fencing_token").asLong())
                    .isGreaterThan(second.json().path("fencing_token").asLong());

            String verify = LEASES + "/" + second.json().path("id").asText() + "/verify";
            String token =
                    "{\"fencing_token\":" + second.json().path("fencing_token").asLong() + "}";
            assertThat(call(system, "POST", verify, token).status()).isEqualTo(412);
            assertThat(heartbeat(system, "billing_b", "active").status()).isEqualTo(410);
            EventCheck.run(system);
        }
    }

    private static void register(LocalSystem system, String agentId) {
        String body = "{\"agent_id\":\"" + agentId
                + "\",\"owner_key_id\":\"administrator\",\"role_id\":\"billing-processor\",\"heartbeat_config\":"
                + "{\"interval_seconds\":5,\"unhealthy_after_seconds\":10,\"dead_after_seconds\":20}}";
        assertThat(call(system, "POST", "/api/v1/agents", body).status()).isEqualTo(201);
    }

    private static Answer lease(LocalSystem system, String agentId) {
        return call(
                system,
                "POST",
                LEASES,
                "{\"agent_id\":\"" + agentId + "\",\"scope\":\"send\",\"duration_seconds\":600}");
    }

    private Answer heartbeat(LocalSystem system, String agentId, String status) {
        String body =
                "{\"status\":\"" + status + "\",\"current_load\":1,\"client_timestamp\":\"" + clock.instant() + "\"}";
        return call(system, "POST", "/api/v1/agents/" + agentId + "/heartbeat", body);
    }

    private static String status(LocalSystem system, String agentId) {
        return call(system, "GET", "/api/v1/agents/" + agentId, "")
                .json()
                .path("status")
                .asText();
    }

    private static List<String> offered(LocalSystem system) {
        return call(system, "GET", "/api/v1/agents?role_id=billing-processor", "")
                .json()
                .path("agents")
                .findValuesAsText("agent_id");
    }

    private static Answer call(LocalSystem system, String method, String path, String body) {
        var response = new HttpCaller(system.baseUrl())
                .call(
                        method,
                        path,
                        body.getBytes(StandardCharsets.UTF_8),
                        "content-type",
                        "application/json",
                        "x-api-key",
                        KEY);
        try {
            return new Answer(response.statusCode(), MAPPER.readTree(response.body()));
        } catch (IOException e) {
            throw new AssertionError("the answer of " + method + " " + path + " is no JSON", e);
        }
    }
}
