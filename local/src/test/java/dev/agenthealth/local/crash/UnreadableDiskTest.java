package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.crash.FaultyDisk.Kind;
import dev.agenthealth.local.data.DataFolder;
import dev.agenthealth.local.testing.TestTemplate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on a data folder whose disk fails to read one of the files of the database, which SQLite takes for damage. */
@Tag("slow")
class UnreadableDiskTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", "-wal"})
    void a_disk_that_fails_to_read_is_not_taken_for_damage(String ending) throws IOException, InterruptedException {
        Path root = folder.toRealPath();
        Path data = root.resolve("data");
        copyOfOpenDatabase(root.resolve("open"), data);
        Path unreadable = data.resolve(DataFolder.DATABASE + ending);
        FaultyDisk disk = new FaultyDisk(unreadable, root);
        disk.fail(Kind.READ, FaultyDisk.ALWAYS, FaultyDisk.IO_ERROR);
        assertThat(run(disk, "check", "--data-dir", data.toString()))
                .startsWith("the disk fails to read " + unreadable + " (Input/output error)")
                .hasLineCount(1);
        assertThat(run(disk, "serve", "--port", "0", "--data-dir", data.toString()))
                .startsWith("Agent Health cannot start: the disk fails to read")
                .contains("Input/output error")
                .doesNotContain("damaged");
        disk.heal();
        assertThat(run(disk, "check", "--data-dir", data.toString())).startsWith("whole: ");
    }

    /** Its last changes are in the second file. */
    private static void copyOfOpenDatabase(Path from, Path to) throws IOException {
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand().dataFolder(from))) {
            assertThat(system.dynamoDb()).isNotNull();
            Files.createDirectories(to);
            for (Path each : files(from)) {
                Files.copy(each, to.resolve(each.getFileName()));
            }
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static String run(FaultyDisk disk, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "dev.agenthealth.local.cli.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(disk.environment());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
