package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.TestTemplate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An attack: another user of the machine reads what a registry stores, although the umask and the folder allow that. */
@Tag("slow")
class FilePermissionsTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void requirePermissions() throws IOException {
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "files have no permissions here");
    }

    /** Starts a command with the umask 000. */
    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "umask 000; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.agenthealth.local.cli.Main"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private void succeeds(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static Map<String, String> modes(Path of) throws IOException {
        Map<String, String> modes = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(of)) {
            for (Path path : walk.toList()) {
                modes.put(
                        of.relativize(path).toString(),
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            }
        }
        return modes;
    }

    private static void assertPrivate(Path of, String... names) throws IOException {
        Map<String, String> modes = modes(of);
        assertThat(modes).containsKeys(names);
        modes.remove("");
        modes.forEach((name, mode) ->
                assertThat(mode).as(name).isEqualTo(Files.isDirectory(of.resolve(name)) ? "rwx------" : "rw-------"));
    }

    @Test
    void an_open_folder_and_umask_leave_no_file_to_others() throws IOException, InterruptedException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process registry = start("serve", "--port", "0", "--data-dir", data.toString());
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(registry.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> lines = new ArrayList<>();
            String line = output.readLine();
            while (line != null && !line.startsWith("Agent Health is ready")) {
                lines.add(line);
                line = output.readLine();
            }
            assertThat(line).as(String.join("\n", lines)).isNotNull();
            assertThat(lines).anyMatch(one -> one.startsWith("Warning: ") && one.endsWith("chmod 700 " + data));
            assertPrivate(
                    data,
                    "agent-health.db",
                    "agent-health.db-wal",
                    "agent-health.db-shm",
                    "secrets.key",
                    "card.key",
                    "administrator-key.sha256",
                    "lock");
            succeeds(
                    "backup",
                    "--data-dir",
                    data.toString(),
                    folder.resolve("backup.zip").toString());
        } finally {
            registry.destroy();
            assertThat(registry.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        Path restored = Files.createDirectory(folder.resolve("restored"));
        Files.setPosixFilePermissions(restored, PosixFilePermissions.fromString("rwxrwxrwx"));
        succeeds(
                "restore",
                "--data-dir",
                restored.toString(),
                folder.resolve("backup.zip").toString());
        assertPrivate(restored, "agent-health.db", "secrets.key", "card.key");
        assertThat(modes(folder)).containsEntry("backup.zip", "rw-------");
        succeeds(
                "restore",
                "--data-dir",
                folder.resolve("new").toString(),
                folder.resolve("backup.zip").toString());
        assertThat(modes(folder)).containsEntry("new", "rwx------");
        assertPrivate(folder.resolve("new"), "agent-health.db");
    }

    @Test
    void a_start_closes_the_files_of_an_earlier_version_and_messages_too() throws IOException {
        Path data = SampleFolder.write(folder.resolve("data"));
        try (Stream<Path> walk = Files.walk(data)) {
            for (Path path : walk.toList()) {
                Files.setPosixFilePermissions(
                        path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand().dataFolder(data))) {
            assertThat(system.warnings()).singleElement().asString().contains("chmod 700 " + data);
            assertPrivate(data, "agent-health.db");
        }
    }

    @Test
    void a_folder_that_is_closed_has_no_warning() throws IOException {
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand().dataFolder(folder.resolve("new")))) {
            assertThat(system.warnings()).isEmpty();
        }
        assertThat(modes(folder)).containsEntry("new", "rwx------");
    }
}
