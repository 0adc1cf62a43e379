package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.template.Template;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The deployed system's own template: that every function starts, and that its schedules, streams and rules fit together. */
class DeployedSystemTest {

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final LocalOptions options = LocalOptions.builder(Template.find(), "test-administrator-key")
            .byHand()
            .out(new PrintStream(log, true, StandardCharsets.UTF_8))
            .build();

    @Test
    void aRegistrationBecomesAnEventOnTheBus() throws IOException {
        try (LocalSystem system = LocalSystem.start(options)) {
            String agent = "{\"agent_id\":\"a1\",\"role_id\":\"r1\",\"capabilities\":[\"x\"],"
                    + "\"endpoint\":\"https://agent.example.com\"}";
            int status = new HttpCaller(system.baseUrl())
                    .call(
                            "POST",
                            "/api/v1/agents",
                            agent.getBytes(StandardCharsets.UTF_8),
                            "content-type",
                            "application/json",
                            "x-api-key",
                            "test-administrator-key")
                    .statusCode();
            assertThat(status).isEqualTo(201);
            assertThat(system.drainStreams()).isEqualTo(1);
            assertThat(system.matchedEvents())
                    .extracting(event -> event.path("detail").path("agent_id").asText())
                    .containsExactly("a1");
        }
    }

    @Test
    void everyScheduleRunsWithWhatTheSchedulerSends() throws IOException {
        try (LocalSystem system = LocalSystem.start(options)) {
            system.runSchedules();
            assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("failed");
        }
    }
}
