package dev.agenthealth.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/**
 * A row of the table.
 *
 * @param unit the unit of the value
 * @param higherIsBetter true if a higher value is better
 * @param both true if other registries can be measured too, false for this project alone
 * @param warmUp sends requests of the measure before its first value, so that the compilers do not work beside it
 */
record Measure(
        String name, String unit, boolean higherIsBetter, boolean both, Method method, Consumer<RunningSystem> warmUp) {

    /** Creates a measure for which the warm-up of all systems is enough. */
    Measure(String name, String unit, boolean higherIsBetter, boolean both, Method method) {
        this(name, unit, higherIsBetter, both, method, system -> {});
    }

    /** Returns true if a registry of this kind can be measured. */
    boolean isOf(Dialect dialect) {
        return dialect == Dialect.AGENT_HEALTH || both && (dialect.lists() || !name.contains("list"));
    }

    /** Measures a system with a registered fleet. */
    @FunctionalInterface
    interface Method {
        Sample of(RunningSystem system, Fleet fleet, Settings settings);
    }

    /**
     * A value. If it is a rate, it has the latencies of the requests; otherwise they are 0.
     *
     * @param p50Millis the latency of half of the requests
     * @param p99Millis the latency of 99 % of the requests
     */
    record Sample(double value, double p50Millis, double p99Millis) {

        static Sample of(Rate rate) {
            return new Sample(rate.perSecond(), rate.p50Millis(), rate.p99Millis());
        }
    }

    /**
     * The sizes and times of a measurement.
     *
     * @param agents the number of agents of the fleet
     * @param seconds the duration of each rate, after a fifth of it as warm-up
     */
    record Settings(int agents, double seconds) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PER_SECOND = "/s";
    private static final String MILLIS = "ms";

    /** The number of requests for the median of a short list. */
    private static final int SHORT_READS = 60;

    private static final int WHOLE_LISTS = 3;

    /** The duration of rates that are divided by each other. Each then contains one pass of the sweep. */
    private static final double SECONDS_BETWEEN_SWEEPS = 5;

    /** The time for which lists and pages are read before their first value. */
    private static final double READ_WARM_UP_SECONDS = 5;

    private static final int STATUS_CHANGES = 3_000;
    private static final int OUTCOMES_PER_BATCH = 100;

    /** The heartbeats per second of 10,000 agents with an interval of 30 s. */
    private static final int FLEET_HEARTBEATS_PER_SECOND = 333;

    /**
     * Returns all measures in their order. First come measures that need a fleet of a known size, then measures that add agents. Last come
     * changes of status and outcomes, after which the background computes health.
     */
    static List<Measure> all() {
        return List.of(
                new Measure("start to first answer", MILLIS, false, true, (s, f, t) -> start(s)),
                heartbeats(1),
                heartbeats(8),
                heartbeats(32),
                new Measure(
                        "heartbeats, 8 connections, while one client lists all agents",
                        "× alone",
                        true,
                        true,
                        Measure::shareWhileListing,
                        system -> repeat(() -> listAll(system, pathOfList(system)))),
                list("list of all agents, pages of 1,000", "/api/v1/agents?status=active&limit=1000", "/api/v1/agents"),
                new Measure(
                        "list of all agents, at " + FLEET_HEARTBEATS_PER_SECOND + " heartbeats a second",
                        MILLIS,
                        false,
                        false,
                        Measure::listWhileFleetSends),
                list(
                        "list by one capability, pages of 1,000",
                        "/api/v1/agents?status=active&capabilities=benchmark&limit=1000",
                        ""),
                read("page of 100 agents", "/api/v1/agents?status=active&limit=100"),
                read("page of 100 trust records", "/v1/trust/agents?limit=100"),
                read("pools of 100 roles", "/api/v1/pools?limit=100"),
                read("one pool of 100 agents", "/api/v1/pools/role-7"),
                new Measure(
                        "health documents, 1 connection",
                        PER_SECOND,
                        true,
                        false,
                        (s, f, t) -> rate(s, 1, t, f.healthDocuments())),
                registrations(1),
                registrations(8),
                registrations(16),
                new Measure(
                        "list of all agents, while 3,000 statuses change",
                        MILLIS,
                        false,
                        false,
                        Measure::listWhileStatusesChange),
                new Measure("outcomes, batches of 100, 8 connections", PER_SECOND, true, false, Measure::outcomes));
    }

    private static Measure heartbeats(int connections) {
        return new Measure(
                "heartbeats, " + plural(connections),
                PER_SECOND,
                true,
                true,
                (system, fleet, settings) -> rate(system, connections, settings, fleet.heartbeats()));
    }

    private static Measure registrations(int connections) {
        return new Measure(
                "registrations, " + plural(connections),
                PER_SECOND,
                true,
                true,
                (system, fleet, settings) -> rate(
                        system,
                        connections,
                        settings,
                        new Fleet(system, "new" + connections + "-" + System.nanoTime()).registrations()));
    }

    private static Measure list(String name, String path, String peerPath) {
        return new Measure(
                name,
                MILLIS,
                false,
                !peerPath.isEmpty(),
                (system, fleet, settings) -> millisOfLists(system, pathOf(system, path, peerPath), settings),
                system -> repeat(() -> listAll(system, pathOf(system, path, peerPath))));
    }

    private static String pathOf(RunningSystem system, String path, String peerPath) {
        return system.dialect() == Dialect.AGENT_HEALTH ? path : peerPath;
    }

    /** Measures a list while the fleet sends heartbeats; the latencies belong to the heartbeats. */
    private static Sample listWhileFleetSends(RunningSystem system, Fleet fleet, Settings settings) {
        AtomicBoolean listing = new AtomicBoolean(true);
        CompletableFuture<Rate> sending = CompletableFuture.supplyAsync(() -> Senders.send(
                system.url(),
                8,
                System.nanoTime(),
                listing::get,
                Senders.paced(FLEET_HEARTBEATS_PER_SECOND, fleet.heartbeats())));
        Sample list;
        try {
            list = millisOfLists(system, "/api/v1/agents?status=active&limit=1000", settings);
        } finally {
            listing.set(false);
        }
        Rate heartbeats = sending.join();
        return new Sample(list.value(), heartbeats.p50Millis(), heartbeats.p99Millis());
    }

    private static Sample millisOfLists(RunningSystem system, String path, Settings settings) {
        double[] millis = new double[WHOLE_LISTS];
        for (int i = 0; i < WHOLE_LISTS; i++) {
            millis[i] = millisOfList(system, path, settings);
        }
        return median(millis);
    }

    /** Measures a list while statuses change; the latencies belong to the changes. */
    private static Sample listWhileStatusesChange(RunningSystem system, Fleet fleet, Settings settings) {
        int number = Math.min(STATUS_CHANGES, 2 * settings.agents());
        CompletableFuture<Rate> changes = CompletableFuture.supplyAsync(
                () -> Senders.count(system.url(), 8, number, fleet.statusChanges(number)));
        DoubleStream.Builder millis = DoubleStream.builder();
        do {
            millis.add(millisOfList(system, "/api/v1/agents?status=active,draining&limit=1000", settings));
        } while (!changes.isDone());
        Rate rate = changes.join();
        double list = median(millis.build().toArray()).value();
        return new Sample(list, rate.p50Millis(), rate.p99Millis());
    }

    /** Returns the time of a whole list. If there are more agents than in the fleet, it is the time per fleet size. */
    private static double millisOfList(RunningSystem system, String path, Settings settings) {
        long before = System.nanoTime();
        int listed = listAll(system, path);
        double millis = (System.nanoTime() - before) / 1e6;
        if (listed < settings.agents()) {
            throw new IllegalStateException("listed " + listed + " of " + settings.agents() + " agents");
        }
        return millis * settings.agents() / listed;
    }

    private static Sample median(double[] millis) {
        Arrays.sort(millis);
        return new Sample(millis[millis.length / 2], 0, 0);
    }

    private static Measure read(String name, String path) {
        return new Measure(
                name,
                MILLIS,
                false,
                false,
                (system, fleet, settings) -> {
                    read(system, path, SHORT_READS / 10);
                    Rate rate = read(system, path, SHORT_READS);
                    return new Sample(rate.p50Millis(), rate.p50Millis(), rate.p99Millis());
                },
                system -> repeat(() -> read(system, path, SHORT_READS)));
    }

    private static Rate read(RunningSystem system, String path, int number) {
        byte[] request = Request.get(path, system.key());
        return Senders.count(system.url(), 1, number, () -> request);
    }

    private static void repeat(Runnable requests) {
        long end = System.nanoTime() + (long) (READ_WARM_UP_SECONDS * 1e9);
        while (System.nanoTime() < end) {
            requests.run();
        }
    }

    private static Sample start(RunningSystem system) {
        try (RunningSystem another = system.startedAgain()) {
            return new Sample(another.startMillis(), 0, 0);
        }
    }

    private static Sample rate(RunningSystem system, int connections, Settings settings, Supplier<byte[]> requests) {
        return Sample.of(
                Senders.during(system.url(), connections, settings.seconds() / 5, settings.seconds(), requests));
    }

    private static Sample outcomes(RunningSystem system, Fleet fleet, Settings settings) {
        Sample batches = rate(system, 8, settings, fleet.outcomes(OUTCOMES_PER_BATCH));
        return new Sample(batches.value() * OUTCOMES_PER_BATCH, batches.p50Millis(), batches.p99Millis());
    }

    private static Sample heartbeatsWhileListing(RunningSystem system, Fleet fleet, Settings settings) {
        AtomicBoolean listing = new AtomicBoolean(true);
        String path = pathOfList(system);
        CompletableFuture<Void> lister = CompletableFuture.runAsync(() -> {
            while (listing.get()) {
                listAll(system, path);
            }
        });
        try {
            return rate(system, 8, settings, fleet.heartbeats());
        } finally {
            listing.set(false);
            lister.join();
        }
    }

    /** Measures heartbeats while the list is read; the latencies are measured during that time. */
    private static Sample shareWhileListing(RunningSystem system, Fleet fleet, Settings settings) {
        Settings onePass = new Settings(settings.agents(), Math.max(settings.seconds(), SECONDS_BETWEEN_SWEEPS));
        double alone = rate(system, 8, onePass, fleet.heartbeats()).value();
        Sample meanwhile = heartbeatsWhileListing(system, fleet, onePass);
        return new Sample(meanwhile.value() / alone, meanwhile.p50Millis(), meanwhile.p99Millis());
    }

    private static String pathOfList(RunningSystem system) {
        return pathOf(system, "/api/v1/agents?status=active&limit=1000", "/api/v1/agents");
    }

    /** Lists all agents and returns their number. */
    static int listAll(RunningSystem system, String path) {
        try (Connection connection = new Connection(system.url())) {
            int listed = 0;
            String token = "";
            do {
                String next = token.isEmpty()
                        ? path
                        : path + "&next_token=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
                byte[] body = connection
                        .send(Request.get(next, system.key()))
                        .successful()
                        .body();
                token = "";
                // The text after the agents is short. Parsing all agents would cost the client as much as the server.
                String end = new String(
                        body, Math.max(0, body.length - 4_096), Math.min(4_096, body.length), StandardCharsets.UTF_8);
                int at = end.lastIndexOf("\"next_token\"");
                if (at >= 0) {
                    JsonNode rest = JSON.readTree("{" + end.substring(at));
                    token = rest.path("next_token").asText("");
                }
                listed += count(body);
            } while (!token.isEmpty());
            return listed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of agents in a body. */
    private static int count(byte[] body) {
        byte[] name = "\"agent_id\"".getBytes(StandardCharsets.UTF_8);
        int found = 0;
        for (int i = 0; i + name.length <= body.length; i++) {
            if (body[i] == '"' && Arrays.equals(body, i, i + name.length, name, 0, name.length)) {
                found++;
            }
        }
        return found;
    }

    private static String plural(int connections) {
        return connections + (connections == 1 ? " connection" : " connections");
    }
}
