package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.crash.KilledRegistry.Answer;
import dev.agenthealth.local.data.FolderCheck;
import dev.agenthealth.testkit.Attack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agents register, hold leases, report outcomes, call each other and are blocked while their registry is killed at random moments
 * (SIGKILL), also during its start. What was acknowledged is there after each restart; each change has one event, which subscribers
 * receive; and no agent is marked as silent for the time in which the registry was down.
 */
@Tag("exhaustive")
@Tag(Attack.TAG)
class NothingIsLostTest {

    private static final int AGENTS = Attack.size(30, 200);
    private static final int KILLS = Attack.size(3, 50);
    private static final int MAX_SECONDS_OF_LOAD = Attack.size(3, 8);
    private static final int REQUESTS_PER_SECOND = 150;

    /** An attempt to notify, and an invocation that was under way, are given up two minutes later. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Attack attack = Attack.begin("killed-registry");
    private final Random random = new Random(attack.seed());
    private final Instant begin = Instant.now();
    private final List<LoadAgent> agents = new ArrayList<>();

    @TempDir
    private Path folder;

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(8);
    private final ScheduledExecutorService heartbeats = Executors.newScheduledThreadPool(8);
    private final List<Future<?>> load = new ArrayList<>();
    private volatile boolean isPaused = true;
    private KilledRegistry registry;
    private Receivers receivers;

    @BeforeEach
    void begin() throws IOException {
        registry = new KilledRegistry(folder);
        receivers = new Receivers();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        heartbeats.shutdownNow();
        registry.close();
        receivers.close();
    }

    @Test
    void what_was_acknowledged_survives_kills_at_any_moment() throws IOException, InterruptedException {
        registry.start();
        registry.awaitReady();
        notify("blocks", "agent.trust", "warning");
        notify("deaths", "agent.lifecycle", "error");
        createAgents();
        startLoad();
        for (int i = 0; i < KILLS; i++) {
            isPaused = false;
            registry.runFor(Duration.ofMillis(500 + random.nextInt(MAX_SECONDS_OF_LOAD * 1_000)));
            registry.kill();
            isPaused = true;
            restart(i);
            assertThat(each(agent -> agent.missing(false, receivers)))
                    .as("kill %d", i)
                    .isEmpty();
        }
        assertNothingLost();
        assertThat(load).as("an exception ends a task").noneMatch(Future::isDone);
        attack.figure("agents", AGENTS).figure("kills", KILLS).end();
    }

    private void startLoad() {
        long millis = 1_000L * AGENTS / REQUESTS_PER_SECOND;
        int interval = (int) LoadAgent.INTERVAL.toMillis();
        for (LoadAgent agent : agents) {
            Runnable step = () -> {
                if (!isPaused) {
                    agent.step();
                }
            };
            load.add(threads.scheduleWithFixedDelay(step, random.nextInt(500), millis, TimeUnit.MILLISECONDS));
            load.add(heartbeats.scheduleAtFixedRate(
                    agent::heartbeat, random.nextInt(interval), interval, TimeUnit.MILLISECONDS));
        }
    }

    /** Of three restarts, one is killed again during its start, and one comes some seconds later, as service managers do it. */
    private void restart(int number) throws IOException, InterruptedException {
        assertWhole();
        int later = number % 3 == 2 ? 5 : 0;
        CompletableFuture.runAsync(registry::start, CompletableFuture.delayedExecutor(later, TimeUnit.SECONDS))
                .join();
        if (number % 3 == 1) {
            registry.runFor(Duration.ofMillis(random.nextInt(4_000)));
            registry.kill();
            assertWhole();
            registry.start();
        }
        registry.awaitReady();
        settle();
    }

    private void assertWhole() throws IOException {
        assertThat(FolderCheck.of(registry.data()).problems()).isEmpty();
    }

    private void settle() throws InterruptedException {
        await(() -> agents.stream()
                .filter(agent -> !agent.settle())
                .map(LoadAgent::id)
                .toList());
    }

    private void assertNothingLost() throws IOException, InterruptedException {
        settle();
        List<LoadAgent> silent = agents.subList(0, AGENTS / 10);
        silent.forEach(LoadAgent::endHeartbeats);
        await(() -> difference("deaths", silent.size(), history().count("new_status", "dead")));
        await(() -> difference("notified deaths", silent.size(), receivers.notified("deaths")));
        await(() -> difference("notified blocks", history().count("action", "blocked"), receivers.notified("blocks")));
        await(() -> each(LoadAgent::unmeasured));
        // The long form waits until invocations that the last kill interrupted are marked as such.
        Instant interrupted = Attack.isLong() ? Instant.MIN : registry.lastKill();
        await(() -> each(agent -> agent.unfinished(receivers, interrupted)));
        assertThat(each(agent -> agent.missing(true, receivers))).isEmpty();
        EventHistory history = history();
        assertThat(each(history::missing)).isEmpty();
        assertThat(history.undelivered(registry.outputs())).isEmpty();
        assertThat(receivers.shownEvents()).doesNotHaveDuplicates().isNotEmpty().allMatch(history::has);
        assertThat(receivers.problems()).isEmpty();
        assertThat(each(history::falseAlarms)).isEmpty();
    }

    private EventHistory history() {
        return EventHistory.read(registry, begin);
    }

    private <T> List<T> each(Function<LoadAgent, List<T>> function) {
        return agents.stream().flatMap(agent -> function.apply(agent).stream()).toList();
    }

    private static List<String> difference(String what, long expected, long found) {
        return expected == found ? List.of() : List.of(what + ": " + found + " of " + expected);
    }

    private void await(Supplier<List<String>> missing) throws InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        List<String> now = missing.get();
        while (!now.isEmpty()) {
            assertThat(Instant.now()).as("%s", now).isBefore(deadline);
            registry.runFor(Duration.ofMillis(100));
            now = missing.get();
        }
    }

    private void createAgents() {
        for (int i = 0; i < AGENTS; i++) {
            Answer answer =
                    registry.administrator("POST", "/v1/admin/keys", "{\"role\":\"agent\",\"name\":\"key " + i + "\"}");
            assertThat(answer.status()).isEqualTo(201);
            String key = answer.json().path("api_key").asText();
            agents.add(new LoadAgent(i, AGENTS, key, receivers.agent(), registry, new Random(random.nextLong())));
        }
    }

    private void notify(String rule, String event, String severity) {
        ObjectNode body = Json.object().put("group_seconds", 5).put("recovery", false);
        body.putArray("events").add(event);
        body.putObject("filter").putArray("severities").add(severity);
        body.putObject("target").put("type", "webhook").put("url", receivers.webhook());
        assertThat(registry.administrator("PUT", "/v1/admin/notifications/" + rule, Json.text(body))
                        .status())
                .isEqualTo(201);
    }
}
