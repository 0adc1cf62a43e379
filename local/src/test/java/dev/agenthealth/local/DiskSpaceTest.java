package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A registry whose disk is nearly full refuses what writes more, goes on with the rest, and recovers when there is space. */
@Tag("slow")
class DiskSpaceTest {

    private static final String KEY = "test-administrator-key";
    private static final long MEGABYTE = 1024 * 1024;

    private final MutableClock clock = MutableClock.atExampleTime();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private LocalOptions options(Path data) {
        return LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .dataFolder(data)
                .out(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    private static ObjectNode agent(String id) {
        ObjectNode agent = Json.object().put("agent_id", id).put("owner_key_id", "administrator");
        agent.putObject("heartbeat_config")
                .put("interval_seconds", 5)
                .put("unhealthy_after_seconds", 10)
                .put("dead_after_seconds", 20);
        return agent;
    }

    private static int register(RegistryCaller caller, String id) {
        return caller.post("/api/v1/agents", agent(id)).status();
    }

    private static String status(RegistryCaller caller, String id) {
        return caller.get("/api/v1/agents/" + id).json().path("status").asText();
    }

    /** Lets time pass in which only one agent sends heartbeats. */
    private void letTheOtherDie(LocalSystem system, RegistryCaller caller) {
        for (int i = 0; i < 12; i++) {
            clock.advanceSeconds(5);
            assertThat(caller.post("/api/v1/agents/alive/heartbeat").status()).isEqualTo(200);
            system.runSchedules();
            system.drainStreams();
        }
    }

    /** A registry before, on and after a full disk. */
    private void theRegistryGoesOn(LocalSystem system, Runnable fill, Runnable free) {
        RegistryCaller caller = new RegistryCaller(system.baseUrl(), KEY);
        assertThat(register(caller, "alive")).isEqualTo(201);
        assertThat(register(caller, "silent")).isEqualTo(201);
        fill.run();
        long before = clock.millis();
        RegistryCaller.Answer refused = caller.post("/api/v1/agents", agent("new"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(clock.millis()).as("the caller does not wait for retries").isEqualTo(before);
        letTheOtherDie(system, caller);
        assertThat(status(caller, "alive")).isEqualTo("active");
        assertThat(status(caller, "silent")).isEqualTo("dead");
        assertThat(caller.get("/api/v1/agents/silent/events")
                        .json()
                        .path("events")
                        .findValuesAsText("new_status"))
                .contains("unhealthy", "dead");
        assertThat(register(caller, "new")).isEqualTo(503);
        free.run();
        assertThat(register(caller, "new")).isEqualTo(201);
        assertThat(register(caller, "silent")).isEqualTo(201);
        assertThat(status(caller, "silent")).isEqualTo("active");
    }

    @Test
    void writes_are_refused_while_reads_heartbeats_and_deaths_go_on() throws IOException {
        AtomicLong usable = new AtomicLong(100 * MEGABYTE);
        try (LocalSystem system = LocalSystem.start(options(folder).usableBytes(file -> usable.get()))) {
            theRegistryGoesOn(system, () -> usable.set(63 * MEGABYTE), () -> usable.set(65 * MEGABYTE));
        }
    }

    @Test
    void heartbeats_go_on_while_nothing_else_is_written_also_where_they_are_synced() throws IOException {
        AtomicLong usable = new AtomicLong(100 * MEGABYTE);
        LocalOptions options = options(folder).syncHeartbeats().usableBytes(file -> usable.get());
        try (LocalSystem system = LocalSystem.start(options)) {
            RegistryCaller caller = new RegistryCaller(system.baseUrl(), KEY);
            assertThat(register(caller, "alive")).isEqualTo(201);
            usable.set(0);
            clock.advanceSeconds(5);
            assertThat(caller.post("/api/v1/agents/alive/heartbeat").status()).isEqualTo(200);
            assertThat(caller.get("/api/v1/agents/alive")
                            .json()
                            .path("last_heartbeat_at")
                            .asText())
                    .isEqualTo(Timestamps.text(clock.instant()));
            assertThat(register(caller, "new")).isEqualTo(503);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void heartbeats_that_a_full_disk_refused_are_no_silence(boolean afterTheFirstPass) throws IOException {
        AtomicLong usable = new AtomicLong(100 * MEGABYTE);
        LocalOptions options =
                options(folder).sweepPeriod(Duration.ofSeconds(1)).usableBytes(file -> usable.get());
        try (LocalSystem system = LocalSystem.start(options)) {
            RegistryCaller caller = new RegistryCaller(system.baseUrl(), KEY);
            ObjectNode agent = agent("short");
            ((ObjectNode) agent.path("heartbeat_config"))
                    .put("interval_seconds", 1)
                    .put("unhealthy_after_seconds", 2)
                    .put("dead_after_seconds", 4);
            assertThat(caller.post("/api/v1/agents", agent).status()).isEqualTo(201);
            if (afterTheFirstPass) {
                clock.advanceSeconds(1);
                system.runSchedules();
            }
            // Shorter than the gap in sweeping that always begins a grace period.
            usable.set(0);
            for (int i = 0; i < 2; i++) {
                clock.advanceSeconds(3);
                system.runSchedules();
            }
            usable.set(100 * MEGABYTE);
            clock.advanceSeconds(1);
            system.runSchedules();
            assertThat(status(caller, "short")).isEqualTo("active");
            for (int i = 0; i < 5; i++) {
                clock.advanceSeconds(1);
                system.runSchedules();
            }
            assertThat(status(caller, "short")).isEqualTo("dead");
        }
    }

    /** On a file system of 80 MB that other files fill. */
    @Test
    @Tag("exhaustive")
    void a_small_file_system_that_is_filled_and_freed() throws IOException, InterruptedException {
        assumeTrue(
                mount("mount", "-t", "tmpfs", "-o", "size=80m", "agent-health-test", folder.toString()),
                "only root may mount a file system");
        Path filling = folder.resolve("filling");
        try {
            try (LocalSystem system = LocalSystem.start(options(folder.resolve("data")))) {
                theRegistryGoesOn(system, () -> fill(filling, 20 * MEGABYTE), () -> delete(filling));
                RegistryCaller caller = new RegistryCaller(system.baseUrl(), KEY);
                fill(filling, 0);
                assertThat(register(caller, "another")).isEqualTo(503);
                assertThat(status(caller, "alive")).isNotEmpty();
                delete(filling);
                assertThat(register(caller, "another")).isEqualTo(201);
            }
            assertThat(dev.agenthealth.local.data.FolderCheck.of(folder.resolve("data"))
                            .problems())
                    .isEmpty();
        } finally {
            mount("umount", folder.toString());
        }
    }

    private static boolean mount(String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes until this much is left. */
    private static void fill(Path file, long left) {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] some = new byte[64 * 1024];
            while (file.toFile().getUsableSpace() > left) {
                out.write(some);
            }
        } catch (IOException e) {
            assertThat(left).as(e.toString()).isZero();
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
