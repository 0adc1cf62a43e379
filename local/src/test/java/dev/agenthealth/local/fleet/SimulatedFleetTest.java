package dev.agenthealth.local.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.EventCheck;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulated fleet on the local run, with a clock that the test moves: every agent is seen as it lives. */
@Tag("exhaustive")
class SimulatedFleetTest {

    private static final String KEY = "test-administrator-key";
    private static final int SWEEP_SECONDS = 5;
    private static final FleetPlan PLAN = new FleetPlan(60, new HeartbeatConfig(5, 15, 45), 12, 4, 2, 300, 120);

    private final MutableClock clock = MutableClock.atExampleTime();

    @Test
    @Tag("R16-02")
    @Tag("R16-03")
    @Tag("R16-06")
    @Tag("R16-12")
    @Tag("R16-13")
    @Tag("R16-15")
    @Tag("R16-16")
    @Tag("SYS-01")
    @Tag("SYS-02")
    void every_agent_matches_its_behaviour() throws IOException {
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .sweepPeriod(Duration.ofSeconds(SWEEP_SECONDS))
                .out(new PrintStream(OutputStream.nullOutputStream()));
        ExecutorService executor = Executors.newFixedThreadPool(8);
        try (LocalSystem system = LocalSystem.start(options)) {
            RegistryHttp registry = new RegistryHttp(URI.create(system.baseUrl()), KEY);
            SimulatedFleet fleet = new SimulatedFleet(
                    "test",
                    PLAN,
                    registry.withNewKey("agent", "fleet", Declaration.providers()),
                    registry.withNewKey("coordinator", "fleet", List.of()),
                    executor,
                    clock.instant());
            Instant end = clock.instant().plus(PLAN.fullCycle());
            for (int second = 0; clock.instant().isBefore(end); second++) {
                fleet.act(clock.instant());
                if (second % SWEEP_SECONDS == 0) {
                    system.runSchedules();
                }
                clock.advanceSeconds(1);
            }
            system.runSchedules();
            EventCheck.run(system);
            FleetReport report = fleet.report();
            assertThat(report.mismatches()).isEmpty();
            assertThat(report.text())
                    .contains("idle", "drifting", "pausing", "crashing", "draining", "declining", "repeating");
        } finally {
            executor.shutdownNow();
        }
    }
}
