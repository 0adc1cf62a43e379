package dev.agenthealth.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from the moment at which an agent's threshold passes to its event on the bus. Agents of the local run send one
 * heartbeat each, spread over two passes of the sweep, and then stop.
 */
public final class Detection {

    private static final int UNHEALTHY_AFTER_SECONDS = 10;
    private static final int POLL_MILLIS = 20;
    private static final Duration MAX_WAIT = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();

    private Detection() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 0) {
            System.err.println("usage: benchmarks/run detection JAR [AGENTS [SECONDS_BETWEEN_SWEEPS]]");
            System.exit(2);
        }
        int agents = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 400;
        int tick = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 5;
        try (RunningSystem system = new RunningSystem(RunningSystem.Start.jar("here", Path.of(arguments[0]))
                        .with("AGENT_HEALTH_SWEEP_SECONDS", "" + tick));
                Connection connection = new Connection(system.url())) {
            Fleet fleet = new Fleet(system, "silent");
            for (int i = 0; i < agents; i++) {
                connection
                        .send(fleet.withThresholds(i, 1, UNHEALTHY_AFTER_SECONDS))
                        .successful();
            }
            long pauseMillis = 2_000L * tick / agents;
            for (int i = 0; i < agents; i++) {
                connection.send(fleet.heartbeat(i)).successful();
                TimeUnit.MILLISECONDS.sleep(pauseMillis);
            }
            long[] delays = delays(system, connection, agents);
            System.out.printf(
                    Locale.ROOT,
                    "%d agents, a sweep every %d s: threshold to event on the bus p50 %.2f s, p99 %.2f s, longest %.2f s"
                            + " (aim: p99 at most %d s)%n",
                    agents,
                    tick,
                    Rate.percentile(delays, 0.5) / 1_000,
                    Rate.percentile(delays, 0.99) / 1_000,
                    Rate.percentile(delays, 1) / 1_000,
                    tick + 5);
        }
    }

    /** Returns the delays, sorted, in nanoseconds. */
    private static long[] delays(RunningSystem system, Connection connection, int agents)
            throws IOException, InterruptedException {
        Instant until = Instant.now().plus(MAX_WAIT);
        Map<String, Long> seen = new HashMap<>();
        while (seen.size() < agents) {
            if (Instant.now().isAfter(until)) {
                throw new IllegalStateException(
                        "only " + seen.size() + " of " + agents + " agents are known unhealthy");
            }
            byte[] page = connection
                    .send(Request.get(
                            "/_local/bus?detail_type=agent.lifecycle&since="
                                    + Instant.now().minusSeconds(15),
                            system.key()))
                    .successful()
                    .body();
            Instant now = Instant.now();
            for (JsonNode event : JSON.readTree(page).path("events")) {
                JsonNode detail = event.path("detail");
                if (detail.path("new_status").asText().equals("unhealthy")) {
                    Instant deadline = Instant.parse(detail.path("deadline_at")
                            .asText(detail.path("timestamp").asText()));
                    seen.putIfAbsent(
                            detail.path("agent_id").asText(),
                            Duration.between(deadline, now).toNanos());
                }
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return seen.values().stream().mapToLong(delay -> delay).sorted().toArray();
    }
}
