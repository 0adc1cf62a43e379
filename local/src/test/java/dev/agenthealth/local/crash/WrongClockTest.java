package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.crash.KilledRegistry.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A registry in a process whose clock libfaketime sets wrong for some seconds, while its monotonic clock goes on. Agents register before, during and after that. No agent
 * that sends heartbeats dies, and silent ones die soon after the clock is right again, although the clock was an hour or more ahead.
 */
@Tag("exhaustive")
@Tag("long")
@Tag("other-programs")
@Tag("R16-15")
class WrongClockTest {

    private static final int DEAD_AFTER_SECONDS = 20;

    /**
     * Far less than the clock was wrong, and enough for a slow machine: each reading of the clock costs a process with libfaketime microseconds. {@code ClockStepTest} counts sweeps.
     */
    private static final Duration MAX_DETECTION = Duration.ofMinutes(2);

    private final ScheduledExecutorService heartbeats = Executors.newScheduledThreadPool(2);
    private final Set<String> alive = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean running = new AtomicBoolean(true);

    @TempDir
    private Path folder;

    private Path offset;
    private KilledRegistry registry;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        Optional<Path> library = library();
        assumeTrue(library.isPresent(), "skipped: libfaketime (package faketime) is not installed");
        offset = folder.resolve("offset");
        setClock("+0");
        registry = new KilledRegistry(
                folder,
                List.of("dev.agenthealth.local.cli.Main", "serve"),
                Map.of(
                        "LD_PRELOAD", library.get().toString(),
                        "FAKETIME_TIMESTAMP_FILE", offset.toString(),
                        "FAKETIME_CACHE_DURATION", "1",
                        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                        "DONT_FAKE_MONOTONIC", "1"));
        registry.start();
        registry.awaitReady();
        heartbeats.scheduleWithFixedDelay(this::sendAll, 0, 500, TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void stop() {
        heartbeats.shutdownNow();
        if (registry != null) {
            registry.close();
        }
    }

    private static Optional<Path> library() throws IOException {
        Path libraries = Path.of("/usr/lib");
        if (!Files.isDirectory(libraries)) {
            return Optional.empty();
        }
        try (Stream<Path> found =
                Files.find(libraries, 3, (path, attributes) -> path.endsWith("faketime/libfaketimeMT.so.1"))) {
            return found.findFirst();
        }
    }

    /** @param change as faketime takes it, such as {@code +2h} */
    private void setClock(String change) throws IOException {
        Path next = folder.resolve("offset.next");
        Files.writeString(next, change + "\n");
        Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void sendAll() {
        if (running.get()) {
            alive.forEach(this::send);
        }
    }

    private void send(String agentId) {
        registry.administrator("POST", "/api/v1/agents/" + agentId + "/heartbeat", "");
    }

    /** The final answer: a request whose time is over because the clock stepped meanwhile is repeated, as clients do. */
    private Answer answered(String path, String body) {
        Answer answer = registry.administrator("POST", path, body);
        for (int attempt = 1; !answer.isFinal() && attempt < 20; attempt++) {
            answer = registry.administrator("POST", path, body);
        }
        return answer;
    }

    /** Registers an agent that sends one heartbeat, and one that goes on sending them. */
    private void register(String when) {
        for (String name : List.of(when + "-silent", when + "-alive")) {
            ObjectNode registration = Json.object().put("agent_id", name).put("owner_key_id", "administrator");
            registration
                    .putObject("heartbeat_config")
                    .put("interval_seconds", 4)
                    .put("unhealthy_after_seconds", 10)
                    .put("dead_after_seconds", DEAD_AFTER_SECONDS);
            assertThat(answered("/api/v1/agents", Json.text(registration)).status())
                    .as("registered, at the first or a second attempt")
                    .isIn(200, 201, 409);
            send(name);
        }
        alive.add(when + "-alive");
    }

    private String status(String agentId) {
        return registry.get("/api/v1/agents/" + agentId).path("status").asText();
    }

    @ParameterizedTest(name = "{0} for {1} s")
    @CsvSource({"+2h, 8", "+1y, 3", "-1h, 8"})
    void a_clock_that_is_wrong_for_some_seconds_delays_no_death_and_causes_none(String change, int seconds)
            throws IOException, InterruptedException {
        register("before");
        registry.runFor(Duration.ofSeconds(3));
        setClock(change);
        register("during");
        registry.runFor(Duration.ofSeconds(seconds));
        send("before-silent");
        setClock("+0");
        register("after");
        assertSilentAgentsDie();
        assertStepsAreKnown(2);
    }

    @Test
    void a_clock_that_is_set_back_for_good_delays_no_death_and_causes_none() throws IOException, InterruptedException {
        register("before");
        registry.runFor(Duration.ofSeconds(3));
        register("during");
        setClock("-1h");
        register("after");
        assertSilentAgentsDie();
        assertStepsAreKnown(1);
    }

    @Test
    void a_data_folder_that_a_clock_ahead_has_written_delays_no_death_after_a_restart()
            throws IOException, InterruptedException {
        register("before");
        setClock("+2h");
        register("during");
        registry.runFor(Duration.ofSeconds(8));
        send("before-silent");
        running.set(false);
        registry.kill();
        setClock("+0");
        registry.start();
        registry.awaitReady();
        running.set(true);
        register("after");
        assertSilentAgentsDie();
        assertStepsAreKnown(1);
    }

    private void assertSilentAgentsDie() throws InterruptedException {
        Set<String> silent = new TreeSet<>(Set.of("before-silent", "during-silent", "after-silent"));
        long end = System.nanoTime() + MAX_DETECTION.toNanos();
        while (System.nanoTime() < end && !silent.isEmpty()) {
            registry.runFor(Duration.ofMillis(200));
            silent.removeIf(agent -> status(agent).equals("dead"));
        }
        assertThat(silent).as("agents that are not dead in time").isEmpty();
        // The next passes judge those that send heartbeats.
        registry.runFor(Duration.ofSeconds(3));
        for (String agent : alive) {
            assertThat(status(agent)).as(agent).isEqualTo("active");
            assertThat(registry.get("/api/v1/agents/" + agent + "/events").path("events"))
                    .as(agent)
                    .noneMatch(event -> event.path("new_status").asText().equals("dead"));
        }
    }

    /** The problem is open, and the events and the log say how large the steps were. */
    private void assertStepsAreKnown(int atLeast) throws InterruptedException {
        assertThat(registry.get("/api/v1/problems").path("problems"))
                .anyMatch(problem -> problem.toString().contains("clock"));
        assertThat(registry.outputs().stream()
                        .flatMap(WrongClockTest::lines)
                        .filter(line -> line.contains("\"clock_stepped\"")))
                .hasSizeGreaterThanOrEqualTo(atLeast)
                .allMatch(line -> line.matches(".*\"step_ms\":-?([3-9][5-9]|[4-9][0-9]|[0-9]{3,})[0-9]{5}.*"));
    }

    private static Stream<String> lines(Path output) {
        try {
            return Files.readAllLines(output).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
