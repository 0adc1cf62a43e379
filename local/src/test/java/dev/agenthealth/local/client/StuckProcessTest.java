package dev.agenthealth.local.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.EndsWithParent;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process of the Java client that is alive but stuck, and declares that it restarts then. */
@Tag("other-programs")
@Tag("exhaustive")
class StuckProcessTest {

    private static final String KEY = "test-administrator-key";

    @Test
    void a_process_that_hangs_in_a_tool_is_stalled_drains_and_ends_with_status_75()
            throws IOException, InterruptedException {
        try (LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .sweepPeriod(Duration.ofSeconds(1))
                .out(new PrintStream(OutputStream.nullOutputStream())))) {
            RegistryCaller administrator = new RegistryCaller(system.baseUrl(), KEY);
            String key = administrator
                    .post("/v1/admin/keys", Json.object().put("role", "agent").put("name", "stuck"))
                    .json()
                    .path("api_key")
                    .asText();
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            EndsWithParent.class.getName(),
                            StuckProgram.class.getName(),
                            system.baseUrl(),
                            key)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isEqualTo(75);
                assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualToNormalizingNewlines("RESTART stalled\n");
            } finally {
                process.destroyForcibly();
            }
            JsonNode events =
                    administrator.get("/api/v1/agents/stuck_java/events").json().path("events");
            assertThat(events.findValuesAsText("type")).startsWith("agent.lifecycle", "agent.stalled");
            assertThat(events.path(1).path("phase").asText()).isEqualTo("tool");
            assertThat(events.findValuesAsText("new_status")).endsWith("draining", "deregistered");
        }
    }
}
