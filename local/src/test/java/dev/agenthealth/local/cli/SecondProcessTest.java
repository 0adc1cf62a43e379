package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.data.FolderCheck;
import dev.agenthealth.local.testing.TestTemplate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Commands on a data folder in a process of their own: beside a registry, and ended at any moment (kill -9). */
@Tag("slow")
class SecondProcessTest {

    @TempDir
    private Path folder;

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
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

    @Test
    void a_registry_goes_on_while_another_process_backs_its_folder_up_and_checks_it()
            throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        Path archive = folder.resolve("backup.zip");
        AtomicInteger written = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        try (LocalSystem system = LocalSystem.start(TestTemplate.byHand().dataFolder(data))) {
            Thread writer = new Thread(() -> {
                while (!ended.get()) {
                    int number = written.getAndIncrement();
                    system.dynamoDb().putItem(put -> put.tableName(TestTemplate.TABLE)
                            .item(Map.of("pk", AttributeValue.fromS("E#" + number))));
                }
            });
            writer.start();
            succeeds("backup", "--data-dir", data.toString(), archive.toString());
            succeeds("check", "--data-dir", data.toString());
            ended.set(true);
            writer.join();
        }
        Path restored = folder.resolve("restored");
        succeeds("restore", "--data-dir", restored.toString(), archive.toString());
        assertThat(FolderCheck.of(data).database().items()).isEqualTo(written.get());
        assertThat(FolderCheck.of(restored).database().items()).isBetween(1L, (long) written.get());
    }

    @Test
    @Tag("exhaustive")
    void an_ended_backup_or_restore_leaves_a_folder_that_starts_or_says_what_to_do()
            throws IOException, InterruptedException {
        Path data = SampleFolder.write(folder.resolve("data"));
        try (EmbeddedDynamoDb database =
                EmbeddedDynamoDb.inFile(data.resolve(SampleFolder.DATABASE), true, Set.of(), Clock.systemUTC())) {
            for (int i = 0; i < 10_000; i++) {
                SampleFolder.put(database, i);
            }
        }
        Path archive = folder.resolve("backup.zip");
        succeeds("backup", "--data-dir", data.toString(), archive.toString());
        Path target = SampleFolder.write(folder.resolve("target"));
        int refused = 0;
        for (long millis = 300; millis < 2_500; millis += 500) {
            Path second = folder.resolve("second.zip");
            Files.deleteIfExists(second);
            end(start("backup", "--data-dir", data.toString(), second.toString()), millis);
            assertThat(FolderCheck.of(data).problems()).isEmpty();
            end(start("restore", "--force", "--data-dir", target.toString(), archive.toString()), millis);
            List<String> problems = FolderCheck.of(target).problems();
            if (!problems.isEmpty()) {
                refused++;
                assertThat(problems)
                        .hasSize(1)
                        .first()
                        .asString()
                        .contains("was interrupted; run it again with --force");
            } else {
                assertThat(FolderCheck.of(target).database().items()).isIn(10_000L, (long) SampleFolder.ITEMS);
            }
        }
        Files.deleteIfExists(folder.resolve("second.zip"));
        succeeds(
                "backup",
                "--data-dir",
                data.toString(),
                folder.resolve("second.zip").toString());
        succeeds("restore", "--force", "--data-dir", target.toString(), archive.toString());
        assertThat(FolderCheck.of(target).problems()).as("refused " + refused).isEmpty();
        assertThat(folder.resolve(".agent-health-backup")).doesNotExist();
    }

    private static void end(Process process, long millis) throws InterruptedException {
        if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
        process.waitFor();
    }
}
