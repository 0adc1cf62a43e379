package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.crash.FaultyDisk.Kind;
import dev.agenthealth.local.crash.KilledRegistry.Answer;
import dev.agenthealth.local.data.FolderCheck;
import dev.agenthealth.testkit.Attack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A registry whose disk is full, fails to write, to sync or to read, or takes seconds for a sync, while agents send heartbeats. It refuses what it
 * cannot store, goes on when the disk does, loses nothing, and takes no agent for dead for what it could not write.
 */
@Tag("exhaustive")
@Tag("long")
@Tag(Attack.TAG)
class FailingDiskTest {

    private static final int AGENTS = 5;
    private static final int ROUNDS = Attack.size(1, 12);
    private static final int TOGETHER = Attack.size(60, 300);
    private static final Duration UNHEALTHY_AFTER = Duration.ofSeconds(3);
    private static final Duration DEAD_AFTER = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Attack attack = Attack.begin("failing-disk");
    private final ScheduledExecutorService heartbeats = Executors.newScheduledThreadPool(AGENTS);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final List<String> unexpected = new ArrayList<>();

    /** Of each agent, by their beginnings, with their ends; {@link Instant#MAX} while it waits. */
    private final Map<String, NavigableMap<Instant, Instant>> sent = new ConcurrentHashMap<>();

    @TempDir
    private Path folder;

    private FaultyDisk disk;
    private KilledRegistry registry;
    private int names;
    private long refused;

    @AfterEach
    void end() {
        heartbeats.shutdownNow();
        threads.shutdownNow();
        if (registry != null) {
            registry.close();
        }
    }

    private Answer register(String id) {
        ObjectNode agent = Json.object().put("agent_id", id).put("owner_key_id", "administrator");
        agent.putObject("heartbeat_config")
                .put("interval_seconds", 1)
                .put("unhealthy_after_seconds", UNHEALTHY_AFTER.toSeconds())
                .put("dead_after_seconds", DEAD_AFTER.toSeconds());
        Answer answer = registry.administrator("POST", "/api/v1/agents", Json.text(agent));
        if (answer.status() == 201) {
            acknowledged.add(id);
        }
        return answer;
    }

    private String name() {
        return "agent-" + names++;
    }

    private void expect(String when, Answer answer, int... statuses) {
        for (int status : statuses) {
            if (answer.status() == status) {
                return;
            }
        }
        unexpected.add(when + ": " + answer);
    }

    /** Registers until it is acknowledged, without a restart. */
    private void recover(String what) throws InterruptedException {
        disk.heal();
        Instant deadline = Instant.now().plus(PATIENCE);
        String id = name();
        Answer answer = register(id);
        while (answer.status() != 201 && Instant.now().isBefore(deadline)) {
            registry.runFor(Duration.ofMillis(200));
            answer = register(id);
        }
        expect("after " + what, answer, 201);
        registry.runFor(Duration.ofSeconds(3));
        falseDeaths(what);
    }

    /** Longer than it takes until a silent agent is dead. */
    private void fails(String what, Kind kind, int error) throws InterruptedException {
        disk.fail(kind, FaultyDisk.ALWAYS, error);
        Instant end = Instant.now().plus(DEAD_AFTER).plusSeconds(2);
        // Some of what is to be read is in memory.
        int whereKnown = kind == Kind.READ ? 201 : 503;
        int whereUnknown = kind == Kind.READ ? 503 : 200;
        while (Instant.now().isBefore(end)) {
            Answer answer = register(name());
            expect(what, answer, 503, whereKnown);
            refused += answer.status() == 503 ? 1 : 0;
            expect(what + ", ping", registry.call("GET", "/api/v1/ping", "", ""), 200);
            expect(what + ", read", registry.administrator("GET", "/api/v1/agents/heart-0", ""), 200, whereUnknown);
            registry.runFor(Duration.ofMillis(300));
        }
        assertThat(disk.hits(kind)).as(what).isPositive();
        recover(what);
    }

    private void falseDeaths(String when) {
        for (int i = 0; i < AGENTS; i++) {
            String id = "heart-" + i;
            for (JsonNode event : deaths(id)) {
                boolean isDeath = event.path("new_status").asText().equals("dead");
                Instant at = Instant.parse(event.path("timestamp").asText());
                Instant from = at.minus(isDeath ? DEAD_AFTER : UNHEALTHY_AFTER);
                // This process may be slow as well: only a heartbeat that was on its way makes the death a false one.
                if (sent.get(id).headMap(at, true).values().stream().anyMatch(end -> end.isAfter(from))) {
                    unexpected.add(when + ": " + event);
                }
            }
        }
    }

    private List<JsonNode> deaths(String id) {
        List<JsonNode> deaths = new ArrayList<>();
        registry.get("/api/v1/agents/" + id + "/events?limit=100")
                .path("events")
                .forEach(event -> {
                    if (event.path("type").asText().equals("agent.lifecycle")
                            && event.path("new_status").asText().matches("dead|unhealthy")) {
                        deaths.add(event);
                    }
                });
        return deaths;
    }

    private void heartbeat(String id) {
        Instant begin = Instant.now();
        NavigableMap<Instant, Instant> own = sent.computeIfAbsent(id, agent -> new ConcurrentSkipListMap<>());
        own.put(begin, Instant.MAX);
        registry.administrator("POST", "/api/v1/agents/" + id + "/heartbeat", "");
        own.put(begin, Instant.now());
    }

    @Test
    void it_refuses_what_it_cannot_store_and_goes_on_when_the_disk_does() throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder.toRealPath().resolve("data"));
        disk = new FaultyDisk(data, folder);
        registry = new KilledRegistry(
                folder.toRealPath(), List.of("dev.agenthealth.local.cli.Main", "serve"), disk.environment());
        registry.start();
        registry.awaitReady();
        for (int i = 0; i < AGENTS; i++) {
            String id = "heart-" + i;
            assertThat(register(id).status()).isEqualTo(201);
            heartbeats.scheduleAtFixedRate(() -> heartbeat(id), 0, 1, TimeUnit.SECONDS);
        }
        assertThat(register("silent").status()).isEqualTo(201);
        for (int i = 0; i < ROUNDS; i++) {
            fails("a full disk", Kind.WRITE, FaultyDisk.NO_SPACE);
            fails("an exceeded quota", Kind.WRITE, FaultyDisk.QUOTA);
            fails("a disk that does not sync", Kind.SYNC, FaultyDisk.IO_ERROR);
            fails("a disk that does not read", Kind.READ, FaultyDisk.IO_ERROR);
            isSlow();
        }
        assertThat(unexpected).isEmpty();
        awaitDeathOfSilent();
        assertThat(deaths("silent")).isNotEmpty();
        heartbeats.shutdownNow();
        registry.kill();
        assertThat(FolderCheck.of(registry.data()).problems()).isEmpty();
        registry.start();
        registry.awaitReady();
        for (String id : acknowledged) {
            assertThat(registry.get("/api/v1/agents/" + id).path("agent_id").asText())
                    .isEqualTo(id);
        }
        attack.figure("rounds of five faults", ROUNDS)
                .figure("failed operations", disk.hits(Kind.WRITE) + disk.hits(Kind.SYNC) + disk.hits(Kind.READ))
                .figure("refused registrations", refused)
                .figure("acknowledged registrations", acknowledged.size())
                .figure("false deaths", 0)
                .end();
    }

    /** After each fault, agents have time to send heartbeats before they are dead. */
    private void awaitDeathOfSilent() throws InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String status = "";
        while (!status.equals("dead") && Instant.now().isBefore(deadline)) {
            registry.runFor(Duration.ofMillis(200));
            status = registry.get("/api/v1/agents/silent").path("status").asText();
        }
        assertThat(status).isEqualTo("dead");
    }

    /** Each sync takes longer than a silent agent lives. */
    private void isSlow() throws InterruptedException {
        disk.syncsTake(DEAD_AFTER.plusSeconds(1).toMillis());
        Map<String, CompletableFuture<Answer>> answers = new TreeMap<>();
        for (int i = 0; i < TOGETHER; i++) {
            String id = name();
            answers.put(id, CompletableFuture.supplyAsync(() -> register(id), threads));
        }
        Instant end = Instant.now().plus(DEAD_AFTER.multipliedBy(2));
        while (Instant.now().isBefore(end)) {
            Instant asked = Instant.now();
            expect("slow, ping", registry.call("GET", "/api/v1/ping", "", ""), 200);
            if (Duration.between(asked, Instant.now()).toSeconds() > 5) {
                unexpected.add("slow: the ping took long");
            }
            registry.runFor(Duration.ofMillis(300));
        }
        falseDeaths("while the disk is slow");
        disk.heal();
        answers.forEach((id, answer) -> {
            int status = answer.join().status();
            // On a machine with much to do, a caller may have given up.
            expect("a slow disk", status == 0 ? register(id) : answer.join(), 200, 201, 409, 429, 503);
        });
        recover("a slow disk");
    }
}
