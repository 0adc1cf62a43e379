package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.TestTemplate;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The commands backup and restore, on the folder of a system with an item and a message. */
class BackupCommandTest {

    @TempDir
    private Path folder;

    private Path data;
    private Path archive;

    @BeforeEach
    void prepare() throws IOException {
        archive = folder.resolve("backup.zip");
        data = SampleFolder.write(folder.resolve("data"));
        Files.createDirectory(data.resolve("lost+found"));
        Files.writeString(data.resolve("notes.txt"), "of somebody");
    }

    private CommandRun backup(String... more) {
        return run("backup", "--data-dir", data.toString(), archive.toString(), more);
    }

    private CommandRun restore(Path to, String... more) {
        return run("restore", "--data-dir", to.toString(), archive.toString(), more);
    }

    private static CommandRun run(String command, String option, String value, String file, String... more) {
        return CommandRun.of(
                Map.of(),
                Stream.concat(Stream.of(command, option, value, file), Stream.of(more))
                        .toArray(String[]::new));
    }

    /** The files of a folder with their content, without those of the database. */
    private static Map<String, String> content(Path of) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(of)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                String name = of.relativize(file).toString();
                content.put(name, name.startsWith(SampleFolder.DATABASE) ? "database" : Files.readString(file));
            }
        }
        content.remove("lock");
        return content;
    }

    private static int items(Path of) {
        try (EmbeddedDynamoDb database =
                EmbeddedDynamoDb.inFile(of.resolve(SampleFolder.DATABASE), true, Set.of(), Clock.systemUTC())) {
            return database.client()
                    .scan(scan -> scan.tableName(TestTemplate.TABLE))
                    .count();
        }
    }

    private void refused(CommandRun run, String... messages) {
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.errors()).contains(messages).hasLineCount(1).doesNotContain("Exception");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void a_restored_folder_has_what_was_backed_up() throws IOException {
        CommandRun backup = backup();
        assertThat(backup.errors()).isEmpty();
        assertThat(backup.status()).isZero();
        assertThat(backup.out()).contains(archive.toString(), "5 files");
        Path restored = folder.resolve("restored");
        CommandRun restore = restore(restored, "--json");
        assertThat(restore.errors()).isEmpty();
        assertThat(restore.status()).isZero();
        assertThat(Json.read(restore.out()).path("files").asInt()).isEqualTo(5);
        Map<String, String> expected = content(data);
        expected.remove("queue-agent-health-Work/2.message.next");
        expected.remove("notes.txt");
        assertThat(content(restored)).isEqualTo(expected);
        assertThat(items(restored)).isEqualTo(SampleFolder.ITEMS);
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)))
                    .isEqualTo("rw-------");
        }
        assertThat(archive.resolveSibling(".agent-health-backup")).doesNotExist();
    }

    @Test
    void a_system_goes_on_while_it_is_backed_up_and_with_a_restored_folder() throws IOException {
        Path live = folder.resolve("live");
        Path restored = folder.resolve("restored");
        LocalOptions options = TestTemplate.byHand();
        try (LocalSystem system = LocalSystem.start(options.dataFolder(live))) {
            put(system, "E#1");
            assertThat(run("backup", "--data-dir", live.toString(), archive.toString())
                            .errors())
                    .isEmpty();
            put(system, "E#2");
            assertThat(system.drainStreams()).isEqualTo(2);
        }
        assertThat(restore(restored).errors()).isEmpty();
        for (Path created : List.of(live, restored)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(created)))
                    .isEqualTo("rwx------");
        }
        try (LocalSystem system = LocalSystem.start(options.dataFolder(restored))) {
            assertThat(system.dynamoDb()
                            .scan(scan -> scan.tableName(TestTemplate.TABLE))
                            .items())
                    .containsExactly(Map.of("pk", AttributeValue.fromS("E#1")));
            assertThat(system.drainStreams()).as("what was not delivered").isEqualTo(1);
            refused(restore(restored, "--force"), "in use", "stop it first");
        }
    }

    private static void put(LocalSystem system, String key) {
        system.dynamoDb()
                .putItem(put -> put.tableName(TestTemplate.TABLE).item(Map.of("pk", AttributeValue.fromS(key))));
    }

    @Test
    void nothing_is_overwritten_unless_forced() throws IOException {
        backup();
        refused(backup(), "exists");
        Path other = SampleFolder.write(folder.resolve("other"));
        Files.createDirectories(other.resolve("queue-Old"));
        Files.writeString(other.resolve("queue-Old/1.message"), "old");
        Files.writeString(other.resolve("notes.txt"), "mine");
        refused(restore(other), "not empty", "--force");
        assertThat(content(other)).containsKey("queue-Old/1.message");
        assertThat(restore(other, "--force").status()).isZero();
        assertThat(content(other))
                .doesNotContainKey("queue-Old/1.message")
                .containsKey(SampleFolder.MESSAGE)
                .as("a file of something else stays")
                .containsEntry("notes.txt", "mine");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cut",
                "changed",
                "text",
                "another zip",
                "missing entry",
                "outside",
                "of something else",
                "no database",
                "no secrets.key"
            })
    @Tag("slow")
    void a_damaged_backup_is_refused_and_changes_nothing(String damage) throws IOException {
        backup();
        switch (damage) {
            case "cut" -> Files.write(archive, Arrays.copyOf(Files.readAllBytes(archive), 1_000));
            case "changed" -> inArchive(root -> Files.writeString(root.resolve(SampleFolder.DATABASE), "database"));
            case "text" -> Files.writeString(archive, "this is no archive");
            case "another zip" -> {
                try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
                    zip.putNextEntry(new ZipEntry(SampleFolder.DATABASE));
                }
            }
            case "missing entry" -> inArchive(root -> Files.delete(root.resolve(SampleFolder.DATABASE)));
            case "outside" -> inArchive(root -> replace(root, "\"secrets.key\"", "\"../secrets.key\""));
            case "of something else" -> inArchive(root -> replace(root, "\"secrets.key\"", "\"notes.txt\""));
            default ->
                inArchive(root -> without(root, damage.equals("no database") ? "agent-health.db" : "secrets.key"));
        }
        Path target = SampleFolder.write(folder.resolve("target"));
        Map<String, String> before = content(target);
        refused(restore(target, "--force"), "Nothing was restored");
        assertThat(content(target)).isEqualTo(before);
        assertThat(folder.resolve("secrets.key")).doesNotExist();
    }

    /** Removes a file of the manifest. */
    private static void without(Path root, String name) throws IOException {
        Path manifest = root.resolve("agent-health-backup.json");
        ObjectNode json = (ObjectNode) Json.read(Files.readString(manifest));
        json.withArray("files").removeIf(file -> file.path("name").asText().equals(name));
        Files.writeString(manifest, Json.text(json));
    }

    @ParameterizedTest
    @CsvSource({"archive_format, 1, 2, newer version", "data_format, 2, 3, newer version"})
    void a_backup_of_another_format_is_refused(String format, int mine, int other, String message) throws IOException {
        backup();
        inArchive(root -> replace(root, "\"" + format + "\" : " + mine, "\"" + format + "\" : " + other));
        refused(restore(folder.resolve("target")), message);
    }

    @Test
    void a_restore_that_was_interrupted_is_noticed_and_can_be_repeated() throws IOException {
        backup();
        Path target = folder.resolve("target");
        restore(target);
        Files.createFile(target.resolve(".restore-incomplete"));
        Path second = folder.resolve("second.zip");
        refused(run("backup", "--data-dir", target.toString(), second.toString()), "interrupted", "--force");
        assertThat(restore(target, "--force").status()).isZero();
        assertThat(run("backup", "--data-dir", target.toString(), second.toString())
                        .status())
                .isZero();
    }

    @Test
    void a_backup_that_was_interrupted_leaves_nothing_after_the_next() throws IOException {
        Path stage = Files.createDirectories(folder.resolve(".agent-health-backup/copy/queue-Work"));
        Files.writeString(stage.resolve("1.message"), "left");
        assertThat(backup().errors()).isEmpty();
        assertThat(folder.resolve(".agent-health-backup")).doesNotExist();
        assertThat(restore(folder.resolve("restored")).status()).isZero();
        assertThat(folder.resolve("restored/queue-Work")).doesNotExist();
    }

    @Test
    @Tag("slow")
    void a_folder_that_is_not_whole_is_not_backed_up() throws IOException {
        byte[] database = Files.readAllBytes(data.resolve(SampleFolder.DATABASE));
        Arrays.fill(database, 8_192, database.length, (byte) 7);
        Files.write(data.resolve(SampleFolder.DATABASE), database);
        refused(backup(), "No backup was written", "agent-health.db is damaged", "restore a backup");
        assertThat(archive).doesNotExist();
    }

    @Test
    void folders_and_files_that_cannot_be_are_named() {
        refused(
                run(
                        "backup",
                        "--data-dir",
                        data.toString(),
                        folder.resolve("no/b.zip").toString()),
                "there is no folder");
        refused(
                run("backup", "--data-dir", folder.resolve("none").toString(), archive.toString()),
                "has no data of Agent Health");
        refused(
                run(
                        "backup",
                        "--data-dir",
                        data.toString(),
                        data.resolve("b.zip").toString()),
                "inside of the data folder");
        refused(restore(folder.resolve("target")), "there is no file");
        assertThat(CommandRun.of(Map.of(), "backup").status()).isEqualTo(2);
        assertThat(CommandRun.of(Map.of("AGENT_HEALTH_DATA_DIR", data.toString()), "backup", archive.toString())
                        .status())
                .isZero();
    }

    @Test
    void progress_is_shown_on_a_terminal_only() throws IOException {
        assertThat(backup("--json").out()).startsWith("{");
        Files.delete(archive);
        CommandRun shown = CommandRun.of(Map.of(), true, "backup", "--data-dir", data.toString(), archive.toString());
        assertThat(shown.out()).contains("\rbackup [", "##] 100 %");
        assertThatCode(() -> Json.read(CommandRun.of(
                                Map.of(), true, "restore", "--json", "--data-dir", folder + "/r", archive.toString())
                        .out()))
                .doesNotThrowAnyException();
    }

    /** Changes something in a ZIP archive. */
    private interface Change {

        void to(Path root) throws IOException;
    }

    private void inArchive(Change change) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(archive)) {
            change.to(zip.getPath("/"));
        }
    }

    private static void replace(Path root, String text, String by) throws IOException {
        Path manifest = root.resolve("agent-health-backup.json");
        String before = Files.readString(manifest);
        assertThat(before).contains(text);
        Files.writeString(manifest, before.replace(text, by));
    }
}
