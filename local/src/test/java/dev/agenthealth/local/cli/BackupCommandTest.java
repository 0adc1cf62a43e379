package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
        data = folder.resolve("data");
        archive = folder.resolve("backup.zip");
        // Most of the tests need no database: a start takes a second.
        Files.createDirectories(data.resolve("queue-Work"));
        Files.writeString(data.resolve("tables.db"), "database ".repeat(50_000));
        Files.writeString(data.resolve("queue-Work/1.message"), "{}");
        Files.writeString(data.resolve("queue-Work/2.message.next"), "incomplete");
        Files.writeString(data.resolve("administrator-key.sha256"), "hash");
        Files.writeString(data.resolve("format"), "1\n");
        Files.createFile(data.resolve("lock"));
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

    /** The files of a folder with their content. */
    private static Map<String, String> content(Path of) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(of)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                content.put(of.relativize(file).toString(), Files.readString(file));
            }
        }
        content.remove("lock");
        return content;
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
        assertThat(backup.out()).contains(archive.toString(), "4 files");
        Path restored = folder.resolve("restored");
        CommandRun restore = restore(restored, "--json");
        assertThat(restore.status()).isZero();
        JsonNode summary = Json.read(restore.out());
        assertThat(summary.path("files").asInt()).isEqualTo(4);
        assertThat(summary.path("bytes").asLong()).isEqualTo(9 * 50_000 + 2 + 4 + 2);
        Map<String, String> expected = content(data);
        expected.remove("queue-Work/2.message.next");
        assertThat(content(restored)).isEqualTo(expected);
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void a_system_goes_on_with_a_restored_folder() throws IOException {
        Path live = folder.resolve("live");
        Path restored = folder.resolve("restored");
        LocalOptions options = TestTemplate.byHand();
        try (LocalSystem system = LocalSystem.start(options.dataFolder(live))) {
            system.dynamoDb()
                    .putItem(put -> put.tableName(TestTemplate.TABLE).item(Map.of("pk", AttributeValue.fromS("E#1"))));
            CommandRun running = run("backup", "--data-dir", live.toString(), archive.toString());
            refused(running, "in use", "stop it first");
            assertThat(archive).doesNotExist();
        }
        assertThat(run("backup", "--data-dir", live.toString(), archive.toString())
                        .status())
                .isZero();
        assertThat(restore(restored).status()).isZero();
        for (Path created : List.of(live, restored)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(created)))
                    .isEqualTo("rwx------");
        }
        try (LocalSystem system = LocalSystem.start(options.dataFolder(restored))) {
            assertThat(system.dynamoDb()
                            .scan(scan -> scan.tableName(TestTemplate.TABLE))
                            .items())
                    .hasSize(1);
            refused(restore(restored, "--force"), "in use");
        }
    }

    @Test
    void nothing_is_overwritten_unless_forced() throws IOException {
        backup();
        refused(backup(), "exists");
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.writeString(other.resolve("tables.db"), "other");
        Files.writeString(other.resolve("old.checkpoint"), "old");
        refused(restore(other), "not empty", "--force");
        assertThat(content(other)).containsOnlyKeys("tables.db", "old.checkpoint");
        assertThat(restore(other, "--force").status()).isZero();
        assertThat(content(other))
                .doesNotContainKey("old.checkpoint")
                .containsKeys("tables.db", "queue-Work/1.message");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut", "changed", "text", "another zip", "missing entry", "outside"})
    void a_damaged_backup_is_refused_and_changes_nothing(String damage) throws IOException {
        backup();
        switch (damage) {
            case "cut" -> Files.write(archive, Arrays.copyOf(Files.readAllBytes(archive), 1_000));
            case "changed" -> inArchive(root -> Files.writeString(root.resolve("tables.db"), "database"));
            case "text" -> Files.writeString(archive, "this is no archive");
            case "another zip" -> {
                try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
                    zip.putNextEntry(new ZipEntry("tables.db"));
                }
            }
            case "missing entry" -> inArchive(root -> Files.delete(root.resolve("tables.db")));
            default -> inArchive(root -> replace(root, "\"format\"", "\"../format\""));
        }
        Path target = Files.createDirectories(folder.resolve("target"));
        Files.writeString(target.resolve("tables.db"), "before");
        refused(restore(target, "--force"), "Nothing was restored");
        assertThat(content(target)).containsOnly(Map.entry("tables.db", "before"));
        assertThat(folder.resolve("format")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"archive_format", "data_format"})
    void a_backup_of_a_newer_version_is_refused(String format) throws IOException {
        backup();
        inArchive(root -> replace(root, "\"" + format + "\" : 1", "\"" + format + "\" : 2"));
        refused(restore(folder.resolve("target")), "newer version");
    }

    @Test
    void an_interrupted_restore_is_noticed_and_can_be_repeated() throws IOException {
        backup();
        Path target = folder.resolve("target");
        restore(target);
        Files.createFile(target.resolve(".restore-incomplete"));
        refused(
                run(
                        "backup",
                        "--data-dir",
                        target.toString(),
                        folder.resolve("second.zip").toString()),
                "interrupted",
                "--force");
        assertThat(restore(target, "--force").status()).isZero();
        assertThat(run(
                                "backup",
                                "--data-dir",
                                target.toString(),
                                folder.resolve("second.zip").toString())
                        .status())
                .isZero();
    }

    @Test
    void folders_and_files_that_cannot_be_are_named() {
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
        refused(
                run(
                        "backup",
                        "--data-dir",
                        data.toString(),
                        folder.resolve("none/b.zip").toString()),
                "none/b.zip");
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
