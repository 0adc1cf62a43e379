package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of databases in temporary files, of processes that end in different ways. */
class TemporaryFolderTest {

    @TempDir
    private Path temporary;

    /** A process with a database in a temporary file. */
    static final class Run {

        private Run() {}

        public static void main(String[] arguments) throws IOException {
            try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC())) {
                EmbeddedDynamoDb second = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
                second.close();
                System.out.println(database.isEmpty());
                System.in.read();
            }
        }
    }

    private Process start() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Run.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.inputReader().readLine();
        return process;
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("embedded-dynamodb-"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    @Tag("slow")
    void the_folder_of_a_killed_process_is_removed_by_the_next_one_and_that_of_a_running_one_is_not()
            throws IOException, InterruptedException {
        Process running = start();
        Process killed = start();
        killed.destroyForcibly().waitFor();
        assertThat(folders()).hasSize(2);
        Process next = start();
        assertThat(folders()).hasSize(2);

        next.getOutputStream().close();
        assertThat(next.waitFor()).isZero();
        assertThat(folders()).hasSize(1);
        running.getOutputStream().close();
        assertThat(running.waitFor()).isZero();
        assertThat(folders()).isEmpty();
    }
}
