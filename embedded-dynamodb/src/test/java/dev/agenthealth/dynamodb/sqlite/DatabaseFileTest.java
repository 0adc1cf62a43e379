package dev.agenthealth.dynamodb.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the file is set up, and how changes get from the log into it. */
class DatabaseFileTest {

    private static final int MEGABYTE = 1024 * 1024;

    @TempDir
    private Path folder;

    private DatabaseFile open(Settings.Sync sync) {
        return DatabaseFile.open(new Settings(path(), false, sync));
    }

    private Path path() {
        return folder.resolve("a.db");
    }

    private Path log() {
        return folder.resolve("a.db-wal");
    }

    private static long ofWriter(DatabaseFile file, String pragma) throws SQLException {
        AtomicLong value = new AtomicLong();
        file.writer().exclusively(session -> value.set(session.number("PRAGMA " + pragma, -99)));
        return value.get();
    }

    private static long ofReader(DatabaseFile file, String pragma) {
        return file.readers().read(session -> session.number("PRAGMA " + pragma, -99));
    }

    private static void add(DatabaseFile file, int megabytes) {
        file.writer().write((session, effect) -> {
            effect.wrote();
            for (int i = 0; i < megabytes; i++) {
                session.update("INSERT INTO stream (table_id, at, event, expired, new) VALUES (1, 0, 1, 0, ?)", (Object)
                        new byte[MEGABYTE]);
            }
            return megabytes;
        });
    }

    private static void removeAll(DatabaseFile file) {
        file.writer().write((session, effect) -> {
            effect.wrote();
            return session.update("DELETE FROM stream");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "synchronous, 1, 0",
        "wal_autocheckpoint, 0, 1000",
        "cache_size, -8192, -8192",
        "temp_store, 2, 2",
        "journal_size_limit, 33554432, 33554432",
        "auto_vacuum, 2, 2",
        "busy_timeout, 10000, 10000",
        "user_version, 2, 2",
    })
    void the_writer_has_its_settings(String pragma, long synced, long unsynced) throws SQLException {
        try (DatabaseFile file = open(Settings.Sync.MOST)) {
            assertThat(ofWriter(file, pragma)).isEqualTo(synced);
        }
        // What the file keeps is kept; the rest is set at each start.
        try (DatabaseFile file = open(Settings.Sync.NEVER)) {
            assertThat(ofWriter(file, pragma)).isEqualTo(unsynced);
        }
    }

    @ParameterizedTest
    @CsvSource({"query_only, 1", "cache_size, -512", "temp_store, 2", "busy_timeout, 10000"})
    void readers_have_their_settings(String pragma, long expected) throws SQLException {
        try (DatabaseFile file = open(Settings.Sync.MOST)) {
            assertThat(ofReader(file, pragma)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"NEVER, 20000", "MOST, 0", "ALWAYS, 0"})
    void commits_copy_changes_only_where_nothing_is_synced(Settings.Sync sync, long pages) throws SQLException {
        try (DatabaseFile file = open(sync)) {
            file.leaveCheckpoints();

            assertThat(ofWriter(file, "wal_autocheckpoint")).isEqualTo(pages);
        }
    }

    @ParameterizedTest
    @EnumSource(Settings.Sync.class)
    void a_checkpoint_copies_a_log_that_has_grown(Settings.Sync sync) throws IOException, SQLException {
        try (DatabaseFile file = open(sync)) {
            file.leaveCheckpoints();
            add(file, 1);
            file.checkpoint();
            assertThat(Files.size(path())).isLessThan(MEGABYTE);

            add(file, 8);
            file.checkpoint();
            assertThat(Files.size(path())).isGreaterThan(9 * MEGABYTE);
            assertThat(ofWriter(file, "busy_timeout")).isEqualTo(10_000);
        }
    }

    @Test
    void a_checkpoint_does_not_wait_for_a_long_read() throws IOException, SQLException {
        try (DatabaseFile file = open(Settings.Sync.MOST)) {
            add(file, 1);
            file.readers().snapshot(session -> {
                assertThat(session.number("SELECT count(*) FROM stream", 0)).isEqualTo(1);
                add(file, 9);
                assertTimeout(Duration.ofSeconds(8), file::checkpoint);
                return null;
            });
            assertThat(ofReader(file, "page_count")).isGreaterThan(10 * MEGABYTE / 4096);
        }
    }

    @Test
    void what_was_removed_is_given_back_at_once() throws SQLException, IOException {
        try (DatabaseFile file = open(Settings.Sync.MOST)) {
            add(file, 4);
        }
        assertThat(Files.size(path())).isGreaterThan(4 * MEGABYTE);

        try (DatabaseFile file = open(Settings.Sync.MOST)) {
            removeAll(file);
            file.shrink();
            assertThat(ofReader(file, "freelist_count")).isLessThanOrEqualTo(256);
            assertThat(Files.size(path())).isLessThan(2 * MEGABYTE);
        }
    }

    @Test
    void free_pages_up_to_a_quarter_stay_for_new_items() throws SQLException {
        try (DatabaseFile file = open(Settings.Sync.MOST)) {
            add(file, 10);
            file.writer().write((session, effect) -> {
                effect.wrote();
                return session.update("DELETE FROM stream WHERE sequence <= 2");
            });
            long free = ofReader(file, "freelist_count");
            assertThat(free).isGreaterThan(256);

            file.shrink();

            assertThat(ofReader(file, "freelist_count")).isEqualTo(free);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, 200_000})
    void a_log_that_is_rewritten_has_the_same_bytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Files.write(log(), bytes);

        DatabaseFile.rewriteLog(path());

        assertThat(Files.readAllBytes(log())).isEqualTo(bytes);
    }

    @Test
    void an_interrupt_of_the_caller_hinders_no_rewriting() throws IOException {
        Files.write(log(), new byte[] {1, 2, 3});
        Thread.currentThread().interrupt();

        DatabaseFile.rewriteLog(path());

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_log_that_is_missing_is_not_created() throws IOException {
        DatabaseFile.rewriteLog(path());

        assertThat(log()).doesNotExist();
    }

    @Test
    void the_space_is_what_the_settings_say() throws SQLException {
        try (DatabaseFile file = DatabaseFile.open(new Settings(path(), false, Settings.Sync.MOST, () -> 7))) {
            assertThat(file.usableBytes()).isEqualTo(7);
        }
    }
}
