package dev.agenthealth.benchmarks.load;

import dev.agenthealth.benchmarks.RowTemplate;
import dev.agenthealth.benchmarks.TypicalRow;
import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.wiring.Pause;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.LifecycleReason;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Transition;
import dev.agenthealth.testkit.TestTables;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The upper limit of the local run: the requests behind it, sent to the embedded database in this process, without HTTP and without functions. The
 * table has 10,000 rows. Prints requests a second and processor time for each request.
 */
public final class EmbeddedDatabase {

    private static final int ROWS = 10_000;
    private static final int PAGE = 1_000;
    private static final long WARM_UP_NANOS = 4_000_000_000L;
    private static final long NANOS = 4_000_000_000L;

    private EmbeddedDatabase() {}

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        try (TestTables tables = TestTables.withStream()) {
            Database database = database(tables, StorageMeter.withoutUnits());
            PulseStore pulses = new PulseStore(database);
            AgentStore agents = new AgentStore(database);
            PulseStore metered = new PulseStore(database(tables, new StorageMeter()));
            for (int row = 0; row < ROWS; row++) {
                database.pulses()
                        .put(TypicalRow.of(
                                RowTemplate.id(row), Clock.systemUTC().instant()));
            }
            KeyHash key = KeyHash.ofKey(TypicalRow.API_KEY);
            AtomicInteger next = new AtomicInteger();
            System.out.println("| requests | threads | a second | p50 | p99 | processor time each |");
            System.out.println("|---|---:|---:|---:|---:|---:|");
            for (int threads : new int[] {1, 8}) {
                measure("a heartbeat", threads, () -> {
                    String id = RowTemplate.id(ThreadLocalRandom.current().nextInt(ROWS));
                    pulses.recordHeartbeat(
                            id, key, Heartbeat.BARE, Clock.systemUTC().instant());
                });
                measure("a first registration's transaction", threads, () -> register(agents, next.getAndIncrement()));
            }
            measure("a scan of " + PAGE + " rows", 1, () -> pulses.inSequence("", PAGE));
            measure("the same with its capacity", 1, () -> metered.inSequence("", PAGE));
        }
        System.exit(0);
    }

    private static Database database(TestTables tables, StorageMeter meter) {
        return new Database(
                tables.dynamoDb(),
                new Tables(TestTables.PULSES, TestTables.REGISTRY),
                Clock.systemUTC(),
                Pause.real(),
                meter);
    }

    private static void register(AgentStore agents, int number) {
        Instant now = Clock.systemUTC().instant();
        Pulse pulse = TypicalRow.pulse("new-" + number, now);
        agents.register(
                Transition.now(pulse, pulse, LifecycleReason.REGISTERED, now),
                TypicalRow.profile(pulse.agentId(), now));
    }

    private static void measure(String name, int threads, Runnable request)
            throws InterruptedException, ExecutionException {
        run(threads, WARM_UP_NANOS, request);
        long processor = processorNanos();
        long before = System.nanoTime();
        List<long[]> latencies = run(threads, NANOS, request);
        long nanos = System.nanoTime() - before;
        long requests = latencies.stream().mapToLong(some -> some.length).sum();
        Rate rate = Rate.of(latencies, nanos);
        System.out.printf(
                Locale.ROOT,
                "| %s | %d | %,.0f | %.2f ms | %.2f ms | %.2f ms |%n",
                name,
                threads,
                rate.perSecond(),
                rate.p50Millis(),
                rate.p99Millis(),
                (processorNanos() - processor) / 1e6 / requests);
    }

    private static List<long[]> run(int threads, long nanos, Runnable request)
            throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            Callable<long[]> sender = () -> {
                List<Long> latencies = new ArrayList<>();
                long end = System.nanoTime() + nanos;
                for (long before = System.nanoTime(); before < end; before = System.nanoTime()) {
                    request.run();
                    latencies.add(System.nanoTime() - before);
                }
                return latencies.stream().mapToLong(Long::longValue).toArray();
            };
            List<long[]> all = new ArrayList<>();
            for (Future<long[]> one : executor.invokeAll(Collections.nCopies(threads, sender))) {
                all.add(one.get());
            }
            return all;
        } finally {
            executor.shutdown();
        }
    }

    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
