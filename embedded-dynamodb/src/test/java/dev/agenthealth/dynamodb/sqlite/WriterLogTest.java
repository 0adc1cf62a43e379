package dev.agenthealth.dynamodb.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.JDBC;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What is synced, and what the writer does with the log after a sync that failed. */
class WriterLogTest {

    @TempDir
    private Path folder;

    private final List<String> steps = new ArrayList<>();
    private IOException failure;
    private boolean veryLarge;
    private int looks;
    private Writer writer;

    private Writer open(Settings.Sync sync) throws SQLException {
        Path file = folder.resolve("a.db");
        DatabaseFile.open(new Settings(file, false, sync)).close();
        Session session = new Session(JDBC.createConnection("jdbc:sqlite:" + file, new Properties()));
        session.execute("PRAGMA wal_autocheckpoint = 0");
        session.execute("PRAGMA synchronous = " + (sync == Settings.Sync.NEVER ? "OFF" : "NORMAL"));
        writer = new Writer(session, sync, new Writer.Log() {

            @Override
            public void rewrite() throws IOException {
                steps.add("rewrite");
                if (failure != null) {
                    throw failure;
                }
            }

            @Override
            public boolean isVeryLarge() {
                looks++;
                return veryLarge;
            }
        });
        return writer;
    }

    @AfterEach
    void close() throws SQLException {
        if (writer != null) {
            writer.close();
        }
    }

    private Writer.Change<Long> store(String consumer) {
        return (session, effect) -> {
            steps.add(consumer);
            effect.wrote();
            session.update("INSERT INTO checkpoints (consumer, sequence) VALUES (?, 1)", consumer);
            return session.number("PRAGMA synchronous", -1);
        };
    }

    private static Writer.Change<Long> failing(SQLiteErrorCode code) {
        return (session, effect) -> {
            throw new SQLiteException("the disk fails", code);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "NEVER, true, 0, false",
        "NEVER, false, 0, false",
        "MOST, true, 2, false",
        "MOST, false, 1, true",
        "ALWAYS, true, 2, false",
        "ALWAYS, false, 2, false",
    })
    void a_commit_is_synced_at_once_or_later(Settings.Sync sync, boolean synced, long synchronous, boolean later)
            throws SQLException {
        open(sync);

        assertThat(writer.write(store("a"), synced)).isEqualTo(synchronous);
        assertThat(writer.takeUnsynced()).isEqualTo(later);
        assertThat(writer.takeUnsynced()).isFalse();
        assertThat(writer.write(store("b"))).isEqualTo(sync == Settings.Sync.NEVER ? 0 : 2);
        assertThat(writer.write(store("c"), synced)).isEqualTo(synchronous);
    }

    @Test
    void commits_without_a_sync_look_at_the_size_of_the_log_only_now_and_then() throws SQLException {
        open(Settings.Sync.MOST);
        for (int i = 0; i < 320; i++) {
            writer.write((session, effect) -> "nothing", false);
        }
        assertThat(looks).isEqualTo(10);
        writer.write(store("a"));
        assertThat(looks).isEqualTo(11);
    }

    @Test
    void a_change_that_wrote_nothing_needs_no_sync() throws SQLException {
        open(Settings.Sync.MOST);

        String result = writer.write((session, effect) -> "result", false);
        assertThat(result).isEqualTo("result");
        assertThat(writer.takeUnsynced()).isFalse();
    }

    @Test
    void after_a_sync_that_failed_the_log_is_written_once_more_before_the_next_change() throws SQLException {
        open(Settings.Sync.MOST);
        writer.write(store("a"), false);
        assertThat(writer.takeUnsynced()).isTrue();

        writer.syncFailed();

        assertThat(writer.takeUnsynced()).isTrue();
        writer.write(store("b"), false);
        writer.write(store("c"), false);
        assertThat(steps).containsExactly("a", "rewrite", "b", "c");
    }

    @Test
    void nothing_is_written_until_the_log_is_whole() throws SQLException {
        open(Settings.Sync.MOST);
        writer.syncFailed();
        failure = new IOException("no space");

        assertThatThrownBy(() -> writer.write(store("a")))
                .isInstanceOf(WriteFailedException.class)
                .hasMessageContaining("the disk does not sync: no space");
        assertThatThrownBy(() -> writer.exclusively(session -> steps.add("alone")))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("the disk does not sync: no space");
        assertThatThrownBy(() -> writer.secure()).isInstanceOf(SQLException.class);
        assertThat(steps).containsExactly("rewrite", "rewrite", "rewrite");

        failure = null;
        writer.write(store("b"));
        assertThat(steps).endsWith("rewrite", "b");
    }

    @Test
    void a_log_is_made_whole_by_request_and_before_other_work_but_only_once() throws SQLException {
        open(Settings.Sync.MOST);
        writer.secure();
        assertThat(steps).isEmpty();

        writer.syncFailed();
        writer.secure();
        writer.secure();
        writer.syncFailed();
        writer.exclusively(session -> steps.add("alone"));
        writer.exclusively(session -> steps.add("alone"));

        assertThat(steps).containsExactly("rewrite", "rewrite", "alone", "alone");
    }

    @ParameterizedTest
    @CsvSource({"SQLITE_IOERR_FSYNC, true", "SQLITE_IOERR_DIR_FSYNC, true", "SQLITE_IOERR_WRITE, false"})
    void a_failure_to_sync_is_noted_where_sqlite_reports_it(SQLiteErrorCode code, boolean noted) throws SQLException {
        open(Settings.Sync.MOST);

        assertThatThrownBy(() -> writer.write(failing(code))).isInstanceOf(WriteFailedException.class);
        assertThat(writer.takeUnsynced()).isEqualTo(noted);
        writer.write(store("a"));
        assertThat(steps).isEqualTo(noted ? List.of("rewrite", "a") : List.of("a"));

        steps.clear();
        assertThatThrownBy(() -> writer.exclusively(session -> {
                    throw new SQLiteException("the disk fails", code);
                }))
                .isInstanceOf(SQLException.class);
        writer.write(store("b"));
        assertThat(steps).isEqualTo(noted ? List.of("rewrite", "b") : List.of("b"));
    }

    @ParameterizedTest
    @EnumSource(Settings.Sync.class)
    void a_commit_copies_a_very_large_log_where_sqlite_does_not(Settings.Sync sync) throws SQLException, IOException {
        open(sync);
        long empty = Files.size(folder.resolve("a.db"));
        writer.write(store("x".repeat(100_000)));
        assertThat(Files.size(folder.resolve("a.db"))).isEqualTo(empty);

        veryLarge = true;
        writer.write(store("b"));

        if (sync == Settings.Sync.NEVER) {
            assertThat(Files.size(folder.resolve("a.db"))).isEqualTo(empty);
        } else {
            assertThat(Files.size(folder.resolve("a.db"))).isGreaterThan(empty + 100_000);
        }
    }
}
