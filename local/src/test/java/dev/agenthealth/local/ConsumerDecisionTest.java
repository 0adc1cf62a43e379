package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.client.gate.Decision;
import dev.agenthealth.client.gate.HealthGate;
import dev.agenthealth.client.gate.HealthStatus;
import dev.agenthealth.client.gate.Reason;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A consumer decides by the documents of the local run whether to call an agent. */
@Tag("AHS-17")
class ConsumerDecisionTest {

    private static final String KEY = "test-administrator-key";
    private static final String AGENT = "/api/v1/agents/billing";

    private final MutableClock clock = MutableClock.atExampleTime();
    private final HealthGate gate = HealthGate.builder().clock(clock).build();

    @Test
    void the_decision_follows_the_agents_health_from_unknown_to_dead() throws IOException {
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (LocalSystem system = LocalSystem.start(options)) {
            String document = system.baseUrl() + "/agents/billing/.well-known/agent-health";
            assertThat(gate.decide(document).explanation()).isEqualTo("health unknown: status 404");
            register(system);
            clock.advance(Duration.ofMinutes(5));
            heartbeat(system);
            assertThat(gate.decide(document))
                    .isInstanceOfSatisfying(Decision.Default.class, unknown -> assertThat(unknown.document())
                            .isPresent());

            report(system, 40, 0);
            assertThat(later(system, document)).isInstanceOfSatisfying(Decision.Proceed.class, proceed -> {
                assertThat(proceed.health().responseRatio()).hasValue(1);
                assertThat(proceed.health().latencyP99Millis()).isPresent();
                assertThat(proceed.health().lastCapabilityUpdate()).isPresent();
            });

            report(system, 0, 20);
            assertThat(later(system, document))
                    .isInstanceOfSatisfying(Decision.ProceedWithCaution.class, caution -> assertThat(caution.reasons())
                            .contains(Reason.DEGRADED, Reason.NO_LONGER_HEALTHY, Reason.LOW_RESPONSE_RATIO));

            report(system, 0, 60);
            assertThat(later(system, document))
                    .isInstanceOfSatisfying(Decision.Avoid.class, avoid -> assertThat(avoid.until())
                            .isEqualTo(clock.instant().plus(Duration.ofMinutes(5))));

            assertThat(call(system, "DELETE", AGENT, "")).isEqualTo(204);
            assertThat(later(system, document).explanation()).isEqualTo("health unknown: status 410");
        }
    }

    @Test
    void the_registry_itself_is_an_agent_whose_document_is_at_its_origin() throws IOException {
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (LocalSystem system = LocalSystem.start(options)) {
            assertThat(gate.decide(system.baseUrl() + "/api/v1/agents")).satisfies(decision -> {
                assertThat(decision.document()).isPresent();
                assertThat(decision.status()).isEqualTo(HealthStatus.UNKNOWN);
            });
        }
    }

    /** The decision after the schedules ran and the gate may read the document again. */
    private Decision later(LocalSystem system, String document) {
        heartbeat(system);
        clock.advance(Duration.ofMinutes(3));
        heartbeat(system);
        system.runSchedules();
        clock.advance(Duration.ofMinutes(2));
        heartbeat(system);
        return gate.decide(document);
    }

    private static void register(LocalSystem system) {
        String body =
                """
                {"agent_id":"billing","owner_key_id":"administrator","heartbeat_config":{"interval_seconds":120,\
                "unhealthy_after_seconds":240,"dead_after_seconds":600}}\
                """;
        assertThat(call(system, "POST", "/api/v1/agents", body)).isEqualTo(201);
    }

    private static void heartbeat(LocalSystem system) {
        assertThat(call(system, "POST", AGENT + "/heartbeat", ""))
                .as("accepted, or gone after the deregistration")
                .isIn(200, 410);
    }

    private void report(LocalSystem system, int successes, int failures) {
        String success = "{\"result\":\"success\",\"latency_ms\":20}";
        String failure =
                """
                {"result":"failure","error_type":"timeout","latency_ms":20}\
                """;
        String outcomes = String.join(
                ",",
                Stream.concat(
                                IntStream.range(0, successes).mapToObj(i -> success),
                                IntStream.range(0, failures).mapToObj(i -> failure))
                        .toList());
        String batch = "{\"batch_id\":\"b-" + clock.millis() + "\",\"outcomes\":[" + outcomes + "]}";
        assertThat(call(system, "POST", AGENT + "/outcomes", batch)).isEqualTo(202);
    }

    private static int call(LocalSystem system, String method, String path, String body) {
        return new HttpCaller(system.baseUrl())
                .call(
                        method,
                        path,
                        body.getBytes(StandardCharsets.UTF_8),
                        "content-type",
                        "application/json",
                        "x-api-key",
                        KEY)
                .statusCode();
    }
}
