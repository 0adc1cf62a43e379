package dev.agenthealth.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agenthealth.benchmarks.load.RunningSystem.Start;
import dev.agenthealth.model.registry.profile.ProbeSchedule;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Measures watched agents beside as many agents that send heartbeats: the processor time and the lateness of probes. First all hosts
 * answer; then some hosts hang and others refuse connections. Prints a table.
 */
public final class Watched {

    private static final int INTERVAL_SECONDS = 60;
    private static final int HEARTBEAT_INTERVAL_SECONDS = 30;
    private static final int AGENTS_PER_HOST = 10;
    private static final int CONNECTIONS = 8;

    /** The number of hosts per hanging host, and per host that refuses connections. */
    private static final int HOSTS_PER_FAILURE = 20;

    /** The time after which the code is compiled. */
    private static final int WARM_UP_SECONDS = 120;

    private static final int PAGE = 1_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunningSystem system;
    private final Hosts hosts;
    private final int agents;
    private final Supplier<byte[]> heartbeats;

    private Watched(RunningSystem system, Hosts hosts, int agents) {
        this.system = system;
        this.hosts = hosts;
        this.agents = agents;
        Fleet fleet = new Fleet(system, "sending");
        Senders.count(system.url(), CONNECTIONS, agents, fleet.registrations());
        AtomicInteger next = new AtomicInteger();
        this.heartbeats = Senders.paced(
                agents / HEARTBEAT_INTERVAL_SECONDS,
                () -> fleet.heartbeat(Math.floorMod(next.getAndIncrement(), agents)));
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 1 || arguments.length > 3) {
            System.err.println("usage: benchmarks/run watched JAR [AGENTS [SECONDS]], by default 10000 and 90");
            System.exit(2);
        }
        int agents = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10_000;
        int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 90;
        Start start = Start.jar("watched", Path.of(arguments[0]))
                .with("JAVA_TOOL_OPTIONS", "-Xmx512m")
                .with("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        try (Hosts hosts = new Hosts(agents / AGENTS_PER_HOST);
                RunningSystem system = new RunningSystem(start)) {
            LargeFleet.allow(2 * agents, system.url(), system.key());
            new Watched(system, hosts, agents).measure(seconds);
        }
    }

    private void measure(int seconds) throws IOException {
        System.out.printf(
                Locale.ROOT,
                "| %,d agents watched every %d s, %,d send heartbeats every %d s | processor time of a probe | probes, of those due"
                        + " | late p50, p99, most | heartbeat p99 | unhealthy | largest process | load |%n"
                        + "|---|---:|---:|---:|---:|---:|---:|---:|%n",
                agents,
                INTERVAL_SECONDS,
                agents,
                HEARTBEAT_INTERVAL_SECONDS);
        sendHeartbeats(WARM_UP_SECONDS);
        Duration alone = processorTime();
        sendHeartbeats(seconds);
        alone = processorTime().minus(alone);
        register();
        sendHeartbeats(WARM_UP_SECONDS);
        row("all answer", seconds, alone, agent -> true);
        int failing = Math.max(1, agents / AGENTS_PER_HOST / HOSTS_PER_FAILURE);
        hosts.command("fail " + failing + " " + failing);
        sendHeartbeats(INTERVAL_SECONDS);
        row(
                "5 % of the hosts hang, 5 % refuse: the others",
                seconds, alone, agent -> agent % (agents / AGENTS_PER_HOST) >= 2 * failing);
    }

    private void row(String name, int seconds, Duration alone, IntPredicate answers) throws IOException {
        hosts.requests();
        Duration before = processorTime();
        Rate rate = sendHeartbeats(seconds);
        Duration probing = processorTime().minus(before).minus(alone);
        long[] late = hosts.requests();
        long due = agents * (long) seconds / INTERVAL_SECONDS;
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f ms | %,d of %,d | %.1f s, %.1f s, %.1f s | %.1f ms | %d | %d MB | %.0f |%n",
                name,
                probing.toNanos() / 1e6 / due,
                late.length,
                IntStream.range(0, agents).filter(answers).count() * seconds / INTERVAL_SECONDS,
                Rate.percentile(late, 0.5) / 1_000,
                Rate.percentile(late, 0.99) / 1_000,
                Rate.percentile(late, 1) / 1_000,
                rate.p99Millis(),
                unhealthy(answers),
                LargeFleet.largestMegabytes(system.pid()),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private Rate sendHeartbeats(int seconds) {
        return Senders.during(system.url(), CONNECTIONS, 0, seconds, heartbeats);
    }

    private Duration processorTime() {
        return ProcessHandle.of(system.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow();
    }

    private void register() {
        AtomicInteger next = new AtomicInteger();
        Senders.count(system.url(), CONNECTIONS, agents, () -> {
            int agent = next.getAndIncrement();
            return Request.post(
                    "/api/v1/agents",
                    system.key(),
                    "{\"agent_id\":\"" + id(agent) + "\",\"owner_key_id\":\"administrator\",\"heartbeat_config\":"
                            + "{\"interval_seconds\":60,\"unhealthy_after_seconds\":180,\"dead_after_seconds\":3600},\"endpoint\":\""
                            + WatchedHosts.url(agent % (agents / AGENTS_PER_HOST), agent)
                            + "\",\"watch\":{\"by\":\"http\",\"interval_seconds\":" + INTERVAL_SECONDS + "}}");
        });
    }

    private static String id(int agent) {
        return "watched-" + agent;
    }

    /** Counts the watched agents that answer and are unhealthy or dead. */
    private long unhealthy(IntPredicate answers) throws IOException {
        long found = 0;
        try (Connection connection = new Connection(system.url())) {
            String cursor = "";
            do {
                JsonNode page = JSON.readTree(connection
                        .send(Request.get("/api/v1/agents?status=unhealthy,dead&limit=" + PAGE + cursor, system.key()))
                        .successful()
                        .body());
                for (JsonNode agent : page.path("agents")) {
                    String id = agent.path("agent_id").asText();
                    found += id.startsWith("watched-")
                                    && answers.test(Integer.parseInt(id.substring("watched-".length())))
                            ? 1
                            : 0;
                }
                cursor = page.path("next_cursor").isTextual()
                        ? "&cursor=" + page.path("next_cursor").asText()
                        : "";
            } while (!cursor.isEmpty());
        }
        return found;
    }

    /** The process of {@link WatchedHosts}. */
    private static final class Hosts implements AutoCloseable {

        private final Process process;
        private final Writer commands;
        private final BufferedReader answers;

        Hosts(int number) throws IOException {
            if (number > WatchedHosts.most()) {
                throw new IllegalArgumentException("at most " + WatchedHosts.most() * AGENTS_PER_HOST + " agents");
            }
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            WatchedHosts.class.getName(),
                            Integer.toString(number))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            commands = process.outputWriter(StandardCharsets.UTF_8);
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            expect("ready");
        }

        void command(String command) throws IOException {
            commands.write(command + "\n");
            commands.flush();
            expect("done");
        }

        private void expect(String line) throws IOException {
            String read = answers.readLine();
            if (!line.equals(read)) {
                throw new IllegalStateException("the hosts answer " + read);
            }
        }

        /** Returns the delays of the requests since the last call, sorted, in nanoseconds. */
        long[] requests() throws IOException {
            Path file = Files.createTempFile("watched", ".txt");
            command("write " + file);
            long[] late = Files.readAllLines(file).stream()
                    .mapToLong(line -> {
                        String[] parts = line.split(" ");
                        return late(id(Integer.parseInt(parts[0])), Instant.ofEpochMilli(Long.parseLong(parts[1])));
                    })
                    .sorted()
                    .toArray();
            Files.delete(file);
            return late;
        }

        /** Returns the time since a probe of this agent was last due. */
        private static long late(String agentId, Instant at) {
            long less = 0;
            long most = INTERVAL_SECONDS * 1_000L;
            while (most - less > 1) {
                long middle = (less + most) / 2;
                if (ProbeSchedule.isDue(agentId, INTERVAL_SECONDS, at.minusMillis(middle), at)) {
                    most = middle;
                } else {
                    less = middle;
                }
            }
            return Duration.ofMillis(most).toNanos();
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
