package dev.agenthealth.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agenthealth.benchmarks.load.RunningSystem.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Measures a restart of many agents beside others that go on: known agents all register again at once, as a new incarnation of each, while
 * other agents send heartbeats. The registry has a data folder. Prints a table.
 */
public final class Restart {

    private static final int INTERVAL_SECONDS = 30;
    private static final int UNHEALTHY_AFTER_SECONDS = 90;
    private static final int CONNECTIONS = 8;

    /** Real agents have a connection each. With a few connections, slow answers would delay the next heartbeats. */
    private static final int MANY_CONNECTIONS = 64;

    private static final double ALONE_SECONDS = 20;

    /** The time after the restart in which a missed heartbeat would show. */
    private static final double AFTER_SECONDS = UNHEALTHY_AFTER_SECONDS + 10;

    private static final String OTHER = "other";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunningSystem system;
    private final Fleet others;
    private final int number;
    private final AtomicInteger sent = new AtomicInteger();

    private Restart(RunningSystem system, int number) {
        this.system = system;
        this.others = new Fleet(system, OTHER);
        this.number = number;
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 1 || arguments.length > 4) {
            System.err.println(
                    "usage: benchmarks/run restart JAR [RESTARTING [OTHERS [HEAP]]], by default 20000 and 10000");
            System.exit(2);
        }
        int restarting = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20_000;
        int others = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10_000;
        Start start = Start.jar("restart", Path.of(arguments[0])).stored();
        try (RunningSystem system = new RunningSystem(
                arguments.length > 3 ? start.with("JAVA_TOOL_OPTIONS", "-Xmx" + arguments[3]) : start)) {
            LargeFleet.allow(Math.max(restarting, others), system.url(), system.key());
            new Restart(system, others).measure(restarting);
        }
    }

    private void measure(int restarting) throws IOException {
        Fleet fleet = new Fleet(system, "restarting");
        Senders.count(system.url(), CONNECTIONS, restarting, fleet.registrations());
        AtomicInteger registered = new AtomicInteger();
        Senders.count(
                system.url(),
                CONNECTIONS,
                number,
                () -> others.withThresholds(registered.getAndIncrement(), INTERVAL_SECONDS, UNHEALTHY_AFTER_SECONDS));
        System.out.printf(
                Locale.ROOT,
                "| %,d agents register again, %,d others send heartbeats every %d s | time | a second | p50, p99 |%n|---|---:|---:|---:|%n",
                restarting,
                number,
                INTERVAL_SECONDS);
        row("heartbeats before", ALONE_SECONDS, sendHeartbeats(ALONE_SECONDS));
        Instant begin = Instant.now();
        AtomicBoolean going = new AtomicBoolean(true);
        CompletableFuture<Rate> beside = CompletableFuture.supplyAsync(
                () -> Senders.send(system.url(), MANY_CONNECTIONS, System.nanoTime(), going::get, heartbeats()));
        AtomicInteger next = new AtomicInteger();
        long before = System.nanoTime();
        Rate restart = Senders.count(
                system.url(), MANY_CONNECTIONS, restarting, () -> fleet.replacement(next.getAndIncrement()));
        double seconds = (System.nanoTime() - before) / 1e9;
        going.set(false);
        row("registrations", seconds, restart);
        row("heartbeats meanwhile", seconds, beside.join());
        row("heartbeats afterwards", AFTER_SECONDS, sendHeartbeats(AFTER_SECONDS));
        Found found = events(begin);
        System.out.printf(
                Locale.ROOT,
                "| events of new registrations | %,d | | |%n| others that became unhealthy | %,d | | |%n",
                found.registrations(),
                found.unhealthy());
        System.out.printf(Locale.ROOT, "| largest process | %d MB | | |%n", LargeFleet.largestMegabytes(system.pid()));
    }

    private Rate sendHeartbeats(double seconds) {
        return Senders.during(system.url(), MANY_CONNECTIONS, 0, seconds, heartbeats());
    }

    /** Returns heartbeats of the other agents in turn, at the rate at which they send them from now on. */
    private Supplier<byte[]> heartbeats() {
        return Senders.paced(
                Math.max(1, number / INTERVAL_SECONDS),
                () -> others.heartbeat(Math.floorMod(sent.getAndIncrement(), number)));
    }

    private static void row(String name, double seconds, Rate rate) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f s | %,.0f | %.1f, %.1f ms |%n",
                name,
                seconds,
                rate.perSecond(),
                rate.p50Millis(),
                rate.p99Millis());
    }

    /**
     * The events of a time.
     *
     * @param registrations the number of agents that became active
     * @param unhealthy the number of other agents that became unhealthy
     */
    private record Found(int registrations, int unhealthy) {}

    private Found events(Instant since) throws IOException {
        int registrations = 0;
        int unhealthy = 0;
        try (Connection connection = new Connection(system.url())) {
            String next = "since=" + since;
            while (!next.isEmpty()) {
                JsonNode page = JSON.readTree(connection
                        .send(Request.get("/api/v1/events?type=agent.lifecycle&limit=1000&" + next, system.key()))
                        .successful()
                        .body());
                for (JsonNode event : page.path("events")) {
                    boolean other = event.path("agent_id").asText().startsWith(OTHER);
                    String status = event.path("new_status").asText();
                    registrations += !other && status.equals("active") ? 1 : 0;
                    unhealthy += other && status.equals("unhealthy") ? 1 : 0;
                }
                String token = page.path("next_token").asText("");
                next = token.isEmpty() ? "" : "since=" + since + "&next_token=" + token;
            }
        }
        return new Found(registrations, unhealthy);
    }
}
