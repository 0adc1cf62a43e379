package dev.agenthealth.benchmarks.sweep;

import dev.agenthealth.benchmarks.RowTemplate;
import dev.agenthealth.benchmarks.TypicalRow;
import dev.agenthealth.testkit.RequestMeter;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Measures passes of the deployed sweep with nothing overdue. Everything but the scan goes to an embedded DynamoDB.
 *
 * <p>{@code rows} reads a generated table of that many agents through the AWS SDK in one process. {@code shared} reads it in shards as
 * configured by default. {@code embedded} reads rows of the embedded DynamoDB.
 */
public final class SweepScale {

    private static final int PASSES = 3;
    private static final long WARM_UP_ROWS = 100_000;

    private SweepScale() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2) {
            System.err.println("usage: benchmarks/run sweep rows|shared|embedded NUMBER...");
            System.exit(2);
        }
        System.out.println("| agents | median of " + PASSES + " passes | smallest–largest | processor time | read units"
                + " | per 1,000 agents | shards, the longest |");
        System.out.println("|---:|---:|---:|---:|---:|---:|---:|");
        for (String number : Arrays.copyOfRange(arguments, 1, arguments.length)) {
            long rows = Long.parseLong(number);
            System.out.println(
                    arguments[0].equals("embedded") ? embedded(rows) : generated(rows, arguments[0].equals("shared")));
        }
        System.out.println("\nheap at most " + (Runtime.getRuntime().maxMemory() >> 20) + " MB, process at its largest "
                + peakMemory() + ", " + Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("java.runtime.version"));
        System.exit(0);
    }

    private static String generated(long rows, boolean shared) {
        GeneratedTable table = new GeneratedTable();
        try (TestTables embedded = TestTables.create()) {
            SweptFleet fleet = new SweptFleet(table.before(embedded.dynamoDb()), shared);
            table.rows(Math.min(rows, WARM_UP_ROWS));
            fleet.pass();
            table.rows(rows);
            return line(rows, fleet, table::readUnits);
        }
    }

    private static String embedded(long rows) {
        try (TestTables embedded = TestTables.create()) {
            fill(embedded.dynamoDb(), rows);
            TestDynamoDb dynamoDb = new TestDynamoDb(embedded.dynamoDb());
            RequestMeter meter = dynamoDb.meter();
            SweptFleet fleet = new SweptFleet(dynamoDb, false);
            fleet.pass();
            meter.reset();
            return line(rows, fleet, meter::readUnits);
        }
    }

    private static String line(long rows, SweptFleet fleet, Supplier<Double> readUnits) {
        double[] seconds = new double[PASSES];
        fleet.resetPortions();
        double units = readUnits.get();
        long processor = processorNanos();
        for (int i = 0; i < PASSES; i++) {
            long before = System.nanoTime();
            long monitored = fleet.pass();
            seconds[i] = (System.nanoTime() - before) / 1e9;
            if (monitored != rows) {
                throw new IllegalStateException("the pass counted " + monitored + " agents instead of " + rows);
            }
        }
        double each = (readUnits.get() - units) / PASSES;
        double processorSeconds = (processorNanos() - processor) / 1e9 / PASSES;
        Arrays.sort(seconds);
        return String.format(
                Locale.ROOT,
                "| %,d | %.2f s | %.2f–%.2f s | %.2f s | %,.1f | %.1f | %s |",
                rows,
                seconds[PASSES / 2],
                seconds[0],
                seconds[PASSES - 1],
                processorSeconds,
                each,
                each * 1_000 / rows,
                fleet.shards());
    }

    private static void fill(DynamoDbClient client, long rows) {
        Clock clock = Clock.systemUTC();
        List<WriteRequest> writes = new ArrayList<>();
        for (long row = 0; row < rows; row++) {
            // An hour ahead, since filling the table takes longer than a heartbeat's interval.
            var item = TypicalRow.of(RowTemplate.id(row), clock.instant().plusSeconds(3_600));
            writes.add(WriteRequest.builder().putRequest(put -> put.item(item)).build());
            if (writes.size() == 25 || row == rows - 1) {
                client.batchWriteItem(batch -> batch.requestItems(Map.of(TestTables.PULSES, List.copyOf(writes))));
                writes.clear();
            }
        }
    }

    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static String peakMemory() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .findFirst()
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1_024 + " MB")
                .orElse("unknown");
    }
}
