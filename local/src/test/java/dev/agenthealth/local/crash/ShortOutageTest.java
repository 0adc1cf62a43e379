package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry that sweeps every second is down for less than the gap in sweeping that begins a grace period. */
@Tag("slow")
class ShortOutageTest {

    private static final String KEY = "test-administrator-key";
    private static final String AGENT = "/api/v1/agents/short";

    private final MutableClock clock = MutableClock.atExampleTime();

    @TempDir
    private Path folder;

    @Test
    void silence_during_a_short_outage_does_not_count() throws IOException {
        try (LocalSystem system = start()) {
            var registration = Json.object().put("agent_id", "short").put("owner_key_id", "administrator");
            registration
                    .putObject("heartbeat_config")
                    .put("interval_seconds", 1)
                    .put("unhealthy_after_seconds", 2)
                    .put("dead_after_seconds", 4);
            assertThat(caller(system).post("/api/v1/agents", registration).status())
                    .isEqualTo(201);
            pass(system, 1);
        }
        clock.advanceSeconds(7);
        try (LocalSystem system = start()) {
            pass(system, 1);
            assertThat(status(system)).isEqualTo("active");
            pass(system, 1);
            assertThat(status(system)).isEqualTo("active");
            pass(system, 2);
            assertThat(status(system)).isEqualTo("unhealthy");
            pass(system, 2);
            assertThat(status(system)).isEqualTo("dead");
        }
    }

    private LocalSystem start() throws IOException {
        return LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .dataFolder(folder)
                .sweepPeriod(Duration.ofSeconds(1))
                .out(new PrintStream(OutputStream.nullOutputStream())));
    }

    private void pass(LocalSystem system, int seconds) {
        clock.advanceSeconds(seconds);
        system.runSchedules();
    }

    private static String status(LocalSystem system) {
        return caller(system).get(AGENT).json().path("status").asText();
    }

    private static RegistryCaller caller(LocalSystem system) {
        return new RegistryCaller(system.baseUrl(), KEY);
    }
}
