package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.TestTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data folders on which no registry starts: one sentence says what to do, and the folder stays as it is. {@code check} says the same. */
class RefusedFolderTest {

    @TempDir
    private Path parent;

    private Path folder() {
        return parent.resolve("data");
    }

    private LocalOptions options() {
        return TestTemplate.byHand().preferKeptKey().dataFolder(folder());
    }

    private CommandRun check(String... more) {
        return CommandRun.of(
                Map.of(),
                Stream.concat(Stream.of("check", "--data-dir", folder().toString()), Stream.of(more))
                        .toArray(String[]::new));
    }

    private void start() throws IOException {
        LocalSystem.start(options()).close();
    }

    private void refused(String... texts) throws IOException {
        long files = count();
        assertThatThrownBy(() -> ServeCommand.start(options()))
                .isInstanceOfSatisfying(CommandFailedException.class, e -> assertThat(e.getMessage())
                        .startsWith("Agent Health cannot start: ")
                        .contains(texts)
                        .doesNotContain("\n")
                        .doesNotContain("Exception"));
        assertThat(count()).isEqualTo(files);
        CommandRun check = check();
        assertThat(check.status()).isEqualTo(1);
        assertThat(check.out()).contains(texts[0]);
    }

    /** The number of files, without those of SQLite and the lock. */
    private long count() throws IOException {
        try (Stream<Path> files = Files.walk(folder())) {
            return files.filter(file ->
                            Files.isRegularFile(file) && !file.toString().matches(".*(-wal|-shm|/lock)"))
                    .count();
        }
    }

    private Path database() {
        return folder().resolve(SampleFolder.DATABASE);
    }

    private void sql(String statement) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database());
                var executed = connection.createStatement()) {
            executed.execute(statement);
        }
    }

    @Test
    void a_whole_folder_starts_and_has_counts() throws IOException {
        SampleFolder.write(folder());
        Files.createDirectory(folder().resolve("lost+found"));
        Files.createFile(folder().resolve(".nfs0001"));
        Files.writeString(folder().resolve("notes.txt"), "of somebody");
        start();
        assertThat(check().out())
                .isEqualTo("whole: 200 items, 0 index entries, 200 stream records, 1 queue messages\n");
        var json = Json.read(check("--json").out());
        assertThat(json.path("whole").asBoolean()).isTrue();
        assertThat(json.path("items").asInt()).isEqualTo(SampleFolder.ITEMS);
        try (LocalSystem system = LocalSystem.start(options())) {
            assertThat(check().status()).as("beside " + system.baseUrl()).isZero();
        }
    }

    @Test
    void a_new_file_system_starts() throws IOException {
        Files.createDirectories(folder().resolve("lost+found"));
        start();
        assertThat(check().out()).startsWith("whole: 0 items");
    }

    @Test
    void a_first_start_that_was_interrupted_is_repeated() throws IOException {
        Files.createDirectories(folder());
        Files.createFile(folder().resolve("lock"));
        Files.createFile(database());
        start();
        Files.delete(folder().resolve("secrets.key"));
        Files.delete(folder().resolve("administrator-key.sha256"));
        start();
    }

    @Test
    void a_folder_that_has_lost_its_database() throws IOException {
        SampleFolder.write(folder());
        Files.delete(database());
        refused("has lost its database agent-health.db", "restore a backup, or choose an empty folder");
    }

    @Test
    void a_database_that_is_empty() throws IOException {
        SampleFolder.write(folder());
        Files.write(database(), new byte[0]);
        refused("agent-health.db is empty; restore a backup");
    }

    @ParameterizedTest
    @CsvSource({"0, 100", "8192, 100000000", "-4096, 100000000"})
    void a_database_that_is_damaged(int from, int to) throws IOException {
        SampleFolder.write(folder());
        byte[] bytes = Files.readAllBytes(database());
        Arrays.fill(bytes, from < 0 ? bytes.length + from : from, Math.min(to, bytes.length), (byte) 7);
        Files.write(database(), bytes);
        refused("agent-health.db is damaged", "restore a backup");
    }

    @Test
    void a_database_that_is_cut() throws IOException {
        SampleFolder.write(folder());
        Files.write(database(), Arrays.copyOf(Files.readAllBytes(database()), 20_000));
        refused("agent-health.db is damaged", "restore a backup");
    }

    @Test
    void a_database_of_another_program() throws IOException, SQLException {
        SampleFolder.write(folder());
        Files.delete(database());
        sql("CREATE TABLE t (a)");
        refused("is not a database of this program; move it away, and restore a backup");
    }

    @Test
    void a_database_of_a_newer_version() throws IOException, SQLException {
        SampleFolder.write(folder());
        sql("PRAGMA user_version = 3");
        refused("has the format 3 of a newer version", "Run the newer version, or restore a backup of this one");
    }

    @Test
    void a_database_of_dynamodb_local() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("tables.db"), "old");
        Files.writeString(folder().resolve("secrets.key"), "old");
        refused(
                "tables.db",
                "revision 09503db6 is the last to read",
                "choose another folder, and register the agents again");
        assertThat(folder().resolve("lock")).doesNotExist();
        assertThat(folder().resolve("tables.db")).hasContent("old");
    }

    @Test
    void a_folder_without_the_key_of_its_secrets() throws IOException {
        SampleFolder.write(folder());
        Files.delete(folder().resolve("secrets.key"));
        refused("secrets.key is missing", "restore it from a backup, or write a new key (openssl rand -base64 32 > ");
        Files.writeString(folder().resolve("secrets.key"), Base64.getEncoder().encodeToString(new byte[32]) + "\n");
        start();
    }

    @Test
    void a_key_of_secrets_that_is_none() throws IOException {
        SampleFolder.write(folder());
        Files.writeString(folder().resolve("secrets.key"), "none");
        refused("secrets.key holds no key", "restore it from a backup, or write a new key");
    }

    @Test
    void a_key_of_cards_that_is_none() throws IOException {
        SampleFolder.write(folder());
        Files.writeString(folder().resolve("card.key"), "none");
        refused("card.key holds no key", "restore it from a backup, or delete it, and cards are signed with a new one");
    }

    @Test
    void a_hash_of_the_administrators_key_that_is_none() throws IOException {
        SampleFolder.write(folder());
        Files.writeString(folder().resolve("administrator-key.sha256"), "none");
        refused("administrator-key.sha256 cannot be read", "AGENT_HEALTH_ADMIN_KEY replaces it");
    }

    @Test
    void a_message_that_is_none() throws IOException {
        SampleFolder.write(folder());
        Path message = Files.move(
                folder().resolve(SampleFolder.MESSAGE),
                Files.createDirectories(folder().resolve("queue-Work")).resolve("1.message"));
        Files.writeString(message, "{");
        refused("1.message is damaged; delete it, or restore a backup");
    }

    @Test
    void a_folder_of_something_else() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("thesis.txt"), "x");
        refused("has files of something else, such as thesis.txt", "choose an empty folder, or one of Agent Health");
        assertThat(folder().resolve("lock")).doesNotExist();
    }

    @Test
    void a_restore_that_was_interrupted() throws IOException {
        SampleFolder.write(folder());
        Path marker = Files.createFile(folder().resolve(".restore-incomplete"));
        refused("was interrupted; run it again with --force");
        Files.delete(marker);
        Files.createDirectories(folder().resolve(".restoring/queue-Work"));
        start();
        assertThat(folder().resolve(".restoring")).doesNotExist();
    }

    @Test
    void a_restore_to_an_empty_folder_that_was_interrupted() throws IOException {
        Files.createDirectories(folder().resolve(".restoring"));
        refused("was interrupted; run it again with --force");
    }

    @Test
    void a_path_that_is_no_folder() throws IOException {
        Files.writeString(folder(), "x");
        refused("it is a file; choose a folder");
    }

    @Test
    void an_index_that_lacks_an_entry_is_found_by_the_check(@TempDir Path other) throws IOException, SQLException {
        start();
        try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inFile(database(), true, Set.of(), Clock.systemUTC())) {
            SampleFolder.put(database, 1);
            SampleFolder.put(database, 2);
            SampleFolder.put(database, 3);
        }
        sql("DELETE FROM stream WHERE sequence = 2");
        CommandRun check = check();
        assertThat(check.status()).isEqualTo(1);
        assertThat(check.out()).isEqualTo("the stream lacks 1 of its records\n");
        assertThat(CommandRun.of(Map.of(), "check", "--data-dir", other.toString())
                        .out())
                .contains("has no data of Agent Health");
    }
}
