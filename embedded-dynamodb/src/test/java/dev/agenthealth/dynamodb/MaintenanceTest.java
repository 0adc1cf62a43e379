package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work in the background: it runs, reports what fails, goes on after that, and ends. */
class MaintenanceTest {

    private static final int MEGABYTE = 1024 * 1024;
    private static final long LIMIT_SECONDS = 30;

    @TempDir
    private Path folder;

    private final BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();
    private DatabaseFile file;
    private Maintenance maintenance;

    @BeforeEach
    void open() {
        file = DatabaseFile.open(new Settings(path(), false, Settings.Sync.MOST));
        maintenance = new Maintenance(Engine.of(file, Clock.systemUTC(), Set.of(), 0));
    }

    @AfterEach
    void close() throws SQLException {
        maintenance.close();
        file.close();
    }

    private Path path() {
        return folder.resolve("a.db");
    }

    private void write(int megabytes) {
        file.writer()
                .write(
                        (session, effect) -> {
                            effect.wrote();
                            return session.update(
                                    "INSERT INTO stream (table_id, at, event, expired, new) VALUES (1, 0, 1, 0, ?)",
                                    (Object) new byte[megabytes * MEGABYTE]);
                        },
                        false);
    }

    private void awaitCopied(int megabytes) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (Files.size(path()) < (long) megabytes * MEGABYTE) {
            assertThat(System.nanoTime()).as("the log is not copied").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("database"))
                .toList();
    }

    @Test
    void changes_are_synced_and_copied_in_the_background_until_it_ends() throws Exception {
        List<Thread> before = threads();
        maintenance.start(failures::add);
        List<Thread> own =
                threads().stream().filter(thread -> !before.contains(thread)).toList();
        write(9);
        awaitCopied(9);
        assertThat(file.writer().takeUnsynced()).isFalse();
        assertThat(failures).isEmpty();

        assertThat(own).isNotEmpty().allMatch(Thread::isDaemon);
        maintenance.close();
        for (Thread thread : own) {
            thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        }
        assertThat(own).noneMatch(Thread::isAlive);
    }

    @Test
    @Tag("slow")
    void what_fails_is_reported_and_tried_again() throws Exception {
        write(1);
        Path log = folder.resolve("a.db-wal");
        Path away = folder.resolve("away");
        Files.move(log, away);
        maintenance.start(failures::add);

        for (int i = 0; i < 2; i++) {
            assertThat(failures.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).isInstanceOf(NoSuchFileException.class);
        }
        Files.move(away, log);
        write(9);
        awaitCopied(10);
    }

    @Test
    void all_work_at_once_syncs_and_copies_as_well() throws IOException, SQLException {
        write(9);
        maintenance.runAll();

        assertThat(file.writer().takeUnsynced()).isFalse();
        assertThat(Files.size(path())).isGreaterThan(9 * MEGABYTE);
    }
}
