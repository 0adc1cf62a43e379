package dev.agenthealth.local.endurance;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.functions.storage.dynamo.Page;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The registry on one machine in a process of its own, whose clock another process moves by lines of standard input: {@code pass SECONDS} lets time
 * pass and does all work of the background once, {@code sample} prints what the process holds.
 */
final class EnduranceRegistry {

    static final String ADMINISTRATOR = "test-administrator-key";
    /** Begins the lines of standard output that answer; the others are the log. */
    static final String ANSWER = "@";

    private static final String ROWS = "rows: ";
    private static final int KIND_LENGTH = 2;
    private static final int PAGE = 500;

    private final MutableClock clock = MutableClock.atExampleTime();
    private final Path folder;
    private final EmbeddedDynamoDb database;
    private final LocalSystem system;

    private EnduranceRegistry(Path folder) throws IOException {
        this.folder = folder;
        this.database = EmbeddedDynamoDb.inFile(folder.resolve("tables.db"), false, Set.of(), clock);
        this.system = LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                .clock(clock, clock::advance)
                .byHand()
                .allowLoopbackEndpoints()
                .sweepPeriod(Duration.ofSeconds(60))
                .dataFolder(folder.resolve("data"))
                .database(database)
                .out(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)));
    }

    public static void main(String[] arguments) throws IOException, SQLException {
        EnduranceRegistry registry = new EnduranceRegistry(Path.of(arguments[0]));
        System.out.println(ANSWER + registry.system.baseUrl());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("pass ")) {
                registry.pass(Long.parseLong(line.substring("pass ".length())));
                System.out.println(ANSWER + registry.clock.instant());
            } else {
                System.out.println(ANSWER + registry.sample());
            }
        }
        registry.system.close();
        registry.database.close();
    }

    private void pass(long seconds) throws IOException, SQLException {
        clock.advanceSeconds(seconds);
        deliver();
        system.runSchedules();
        deliver();
        database.maintainOnce();
    }

    private void deliver() {
        int delivered = 1;
        while (delivered > 0) {
            delivered = system.drainStreams() + system.drainQueues();
        }
    }

    /** One line: names and numbers, tabs between them. */
    private String sample() {
        Map<String, Long> found = new TreeMap<>();
        rows(found);
        System.gc();
        System.gc();
        found.put(
                "heap KB",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024);
        found.put("threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
        Thread.getAllStackTraces()
                .keySet()
                .forEach(
                        thread -> found.merge("threads: " + thread.getName().replaceAll("[0-9]+", "0"), 1L, Long::sum));
        UnixOperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
        found.put("file handles", machine.getOpenFileDescriptorCount());
        found.put("data KB", size() / 1024);
        found.put("dead letters", (long) system.deadLetters().size());
        StringBuilder line = new StringBuilder();
        found.forEach(
                (name, value) -> line.append(name).append('\t').append(value).append('\t'));
        return line.toString();
    }

    private long size() {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Counts the rows of each table by kind, as the beginnings of their keys say it. */
    private void rows(Map<String, Long> found) {
        for (Table table : List.of(system.stored().pulses(), system.stored().registry())) {
            Map<String, AttributeValue> next = Map.of();
            do {
                Page page = table.scan(PAGE, next);
                page.items().forEach(item -> {
                    found.merge(ROWS + (item.containsKey("pk") ? kind(item) : "pulse"), 1L, Long::sum);
                    found.merge("rows", 1L, Long::sum);
                });
                next = page.lastKey();
            } while (!next.isEmpty());
        }
    }

    private static String kind(Map<String, AttributeValue> item) {
        String partition = item.get("pk").s();
        String sort = item.get("sk").s();
        int hash = partition.indexOf('#');
        String first = hash < 0 ? partition : partition.substring(0, hash);
        int end = sort.indexOf('#');
        String second = end < 0 ? sort : sort.substring(0, end);
        return hash >= 0 && second.length() <= KIND_LENGTH ? first + " " + second : first;
    }
}
