package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.sqlite.Settings;
import dev.agenthealth.local.crash.DiskScript.Acknowledged;
import dev.agenthealth.local.crash.FaultyDisk.Kind;
import dev.agenthealth.local.testing.EndsWithParent;
import dev.agenthealth.testkit.Attack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process writes to its database on a recorded disk, also on one that fails, and the states are built in which a kill or a loss of power after any
 * of its operations leaves the disk. Each opens, has what was acknowledged, and no half of a transaction.
 */
@Tag("exhaustive")
@Tag(Attack.TAG)
class PowerCutTest {

    private static final int RECORDS = Attack.size(1, 20);

    /** A longer log would never be copied or written anew on a disk that fails as often as this one. */
    private static final int TRANSACTIONS = 30;

    private static final int STATES = Attack.size(80, 400);
    private static final int KILLS = Attack.size(2, 120);

    /** Of 1,000 operations; syncs fail more often, as there are fewer. */
    private static final int FAULTS = 15;

    private static final int MAX_SHOWN = 5;

    private final Attack attack = Attack.begin("power-cuts");
    private final Random random = new Random(attack.seed());

    @TempDir
    private Path folder;

    /** In memory, where the system has a place for that. */
    private Path states;

    private int names;

    /** The record of a script's operations and their number, what it had acknowledged, and the faults that it met. */
    private record Run(Path record, int operations, Acknowledged acknowledged, long faults) {

        void delete() throws IOException {
            PowerCutTest.delete(record.getParent());
        }
    }

    @BeforeEach
    void findPlace() throws IOException {
        Path memory = Path.of("/dev/shm");
        states = Files.isWritable(memory) ? Files.createTempDirectory(memory, "agent-health-test") : folder;
    }

    @AfterEach
    void clean() throws IOException {
        delete(states);
    }

    private static void delete(Path path) throws IOException {
        try (Stream<Path> walk = Files.walk(path)) {
            for (Path found : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(found);
            }
        }
    }

    private Run run(Settings.Sync sync, String form, int faults, long killAt) throws IOException, InterruptedException {
        Path files = Files.createDirectories(folder.resolve("run" + names++));
        Path data = Files.createDirectories(files.resolve("data"));
        FaultyDisk disk = new FaultyDisk(data, files);
        disk.seed(random.nextLong());
        disk.killAt(killAt);
        Path record = files.resolve("record");
        Path output = files.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                EndsWithParent.class.getName(),
                DiskScript.class.getName(),
                data.toRealPath().toString(),
                record.toString(),
                String.valueOf(random.nextLong()),
                String.valueOf(TRANSACTIONS),
                sync.name(),
                form);
        builder.environment().putAll(disk.environment());
        builder.environment()
                .putAll(Map.of("DISK_RECORD", record.toString(), "CLASSPATH", System.getProperty("java.class.path")));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await(process, output, "begin");
            for (Kind kind : Kind.values()) {
                disk.fail(
                        kind,
                        kind == Kind.SYNC ? 5 * faults : faults,
                        random.nextBoolean() ? FaultyDisk.IO_ERROR : FaultyDisk.NO_SPACE);
            }
            await(process, output, "calm");
            disk.heal();
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        Acknowledged acknowledged = Acknowledged.read(output);
        assertThat(acknowledged.broken()).isEmpty();
        if (killAt == 0) {
            assertThat(acknowledged.isEnded()).as(Files.readString(output)).isTrue();
            assertThat(acknowledged.transactions()).isEqualTo((long) TRANSACTIONS * DiskScript.WORKERS);
        }
        long hits = Stream.of(Kind.values()).mapToLong(disk::hits).sum();
        if (killAt > 0) {
            assertThat(acknowledged.missing(data, Long.MAX_VALUE))
                    .as("killed before operation %d", killAt)
                    .isEmpty();
        }
        return new Run(record, RecordedDisk.read(record, operation -> {}), acknowledged, hits);
    }

    private static void await(Process process, Path output, String line) throws IOException, InterruptedException {
        while (!Files.readString(output).contains(line) && !process.waitFor(20, TimeUnit.MILLISECONDS)) {
            // Of a process that has just ended, nothing is known.
            assertThat(process.info().totalCpuDuration().orElse(Duration.ZERO)).isLessThan(Duration.ofMinutes(2));
        }
    }

    /** What is wrong in states after operations that are chosen at random, each with its place. */
    private List<String> broken(Run run, int tried, boolean afterKill) throws IOException {
        List<String> broken = new ArrayList<>();
        RecordedDisk disk = new RecordedDisk(new Random(random.nextLong()));
        Sample sample = new Sample(run.operations(), tried);
        RecordedDisk.read(run.record(), operation -> {
            disk.apply(operation);
            if (sample.has(random) && broken.size() < MAX_SHOWN) {
                Path state = Files.createDirectory(states.resolve("state" + names++));
                RecordedDisk.write(afterKill ? disk.afterKill() : disk.afterPowerCut(random), state);
                List<String> missing = run.acknowledged().missing(state, operation.at());
                delete(state);
                if (!missing.isEmpty()) {
                    broken.add("after " + operation.at() + ": " + missing);
                }
            }
        });
        assertThat(sample.wanted).isZero();
        return broken;
    }

    /** Chooses some of a number of things, one after the other, each with the same probability. */
    private static final class Sample {

        private int left;
        private int wanted;

        private Sample(int all, int wanted) {
            this.left = all;
            this.wanted = Math.min(wanted, all);
        }

        private boolean has(Random random) {
            boolean chosen = random.nextInt(left--) < wanted;
            wanted -= chosen ? 1 : 0;
            return chosen;
        }
    }

    @Test
    void each_state_after_a_kill_or_a_loss_of_power_has_what_was_acknowledged()
            throws IOException, InterruptedException {
        long operations = 0;
        long transactions = 0;
        long faults = 0;
        for (int i = 0; i < RECORDS; i++) {
            for (int rate : new int[] {0, FAULTS}) {
                Run run = run(Settings.Sync.MOST, "whole", rate, 0);
                assertThat(broken(run, STATES, false)).isEmpty();
                assertThat(broken(run, STATES / 4, true)).isEmpty();
                operations += run.operations();
                transactions += run.acknowledged().transactions();
                faults += run.faults();
                run.delete();
            }
        }
        assertThat(operations).isGreaterThan(2L * RECORDS * 20 * TRANSACTIONS);
        assertThat(faults).isGreaterThan(RECORDS * (long) TRANSACTIONS / 2);
        for (int i = 0; i < KILLS; i++) {
            run(Settings.Sync.MOST, "whole", i % 2 * FAULTS, 1 + random.nextInt((int) operations / RECORDS / 2))
                    .delete();
        }
        attack.figure("recorded operations", operations)
                .figure("transactions", transactions)
                .figure("faults", faults)
                .figure("states after a loss of power", 2L * RECORDS * STATES)
                .figure("states after a kill", 2L * RECORDS * (STATES / 4))
                .figure("kills", KILLS)
                .end();
    }

    @Test
    void the_check_finds_commits_that_are_not_synced() throws IOException, InterruptedException {
        assertThat(broken(run(Settings.Sync.NEVER, "whole", 0, 0), 40, false)).isNotEmpty();
    }

    @Test
    void the_check_finds_an_event_outside_of_its_transaction() throws IOException, InterruptedException {
        assertThat(broken(run(Settings.Sync.MOST, "split", 0, 0), 40, true)).isNotEmpty();
    }
}
