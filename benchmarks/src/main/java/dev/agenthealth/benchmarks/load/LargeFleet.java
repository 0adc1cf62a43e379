package dev.agenthealth.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.benchmarks.load.RunningSystem.Start;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures a large fleet on one machine: registers it with a data folder and a small heap, serves it, and starts it again. Prints a table.
 */
public final class LargeFleet {

    private static final int CONNECTIONS = 32;
    private static final int INTERVAL_SECONDS = 30;
    private static final double SECONDS = 20;
    private static final int STARTS = 3;
    private static final int KIBIBYTES_PER_MEBIBYTE = 1_024;
    private static final ObjectMapper JSON = new ObjectMapper();

    private LargeFleet() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 1 || arguments.length > 3) {
            System.err.println("usage: benchmarks/run large-fleet JAR [AGENTS] [HEAP], by default 100000 and 512m");
            System.exit(2);
        }
        int agents = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
        String heap = arguments.length > 2 ? arguments[2] : "512m";
        Start start = Start.jar("large", Path.of(arguments[0]))
                .with("JAVA_TOOL_OPTIONS", "-Xmx" + heap)
                .stored();
        System.out.printf("| %,d agents in a heap of %s, with a data folder | |%n|---|---:|%n", agents, heap);
        try (RunningSystem system = new RunningSystem(start)) {
            allow(agents, system.url(), system.key());
            Fleet fleet = new Fleet(system, "large");
            row("registrations/s", Senders.count(system.url(), CONNECTIONS, agents, fleet.registrations()));
            row(
                    "heartbeats/s of the fleet, every " + INTERVAL_SECONDS + " s",
                    Senders.during(
                            system.url(),
                            CONNECTIONS,
                            SECONDS / 5,
                            SECONDS,
                            Senders.paced(agents / INTERVAL_SECONDS, fleet.heartbeats())));
            row(
                    "heartbeats/s at 8 connections",
                    Senders.during(system.url(), 8, SECONDS / 5, SECONDS, fleet.heartbeats()));
            long before = System.nanoTime();
            int listed = Measure.listAll(system, "/api/v1/agents?status=active&limit=1000");
            System.out.printf(
                    Locale.ROOT, "| list of %,d agents | %.0f ms |%n", listed, (System.nanoTime() - before) / 1e6);
            System.out.printf(Locale.ROOT, "| largest process | %d MB |%n", largestMegabytes(system.pid()));
        }
        double[] millis = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            try (RunningSystem again = new RunningSystem(start)) {
                millis[i] = again.startMillis();
            }
        }
        Arrays.sort(millis);
        System.out.printf(
                Locale.ROOT,
                "| start with them to first answer | %.0f ms (%.0f to %.0f) |%n",
                millis[STARTS / 2],
                millis[0],
                millis[STARTS - 1]);
    }

    /** Raises the quota, so that a single key may own the fleet. */
    static void allow(int agents, URI server, String key) throws IOException {
        String path = "/v1/admin/configuration";
        try (Connection connection = new Connection(server)) {
            byte[] current =
                    connection.send(Request.get(path, key)).successful().body();
            ObjectNode wanted = JSON.readValue(current, ObjectNode.class).put("max_agents_per_key", agents + 1);
            connection.send(Request.put(path, key, wanted.toString())).successful();
        }
    }

    private static void row(String name, Rate rate) {
        System.out.printf(Locale.ROOT, "| %s | %,.0f, p99 %.1f ms |%n", name, rate.perSecond(), rate.p99Millis());
    }

    /** Returns the largest size of the process in memory; 0 if the system does not report it. */
    static long largestMegabytes(long pid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/status");
        List<String> lines = Files.exists(status) ? Files.readAllLines(status) : List.of();
        return lines.stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / KIBIBYTES_PER_MEBIBYTE)
                .findFirst()
                .orElse(0);
    }
}
