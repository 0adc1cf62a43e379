package dev.agenthealth.local.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs Python programs of this repository. Skips the test where there is no Python 3.9 or newer. */
public final class PythonProcess {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private PythonProcess() {}

    /**
     * Runs {@code python3} with these arguments until it ends, and prints what it printed.
     *
     * @param folder where it runs, from the root of the repository
     * @return what it printed to both streams
     */
    public static String run(String folder, Map<String, String> environment, Duration limit, String... arguments)
            throws IOException, InterruptedException {
        assumeThat(isThere()).as("python3 of version 3.9 or newer is installed").isTrue();
        Path printed = Files.createTempFile("python", ".out");
        ProcessBuilder builder =
                new ProcessBuilder(Stream.concat(Stream.of("python3", "-W", "error"), Stream.of(arguments))
                        .toList());
        builder.directory(ROOT.resolve(folder).toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .environment()
                .putAll(environment);
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process process = builder.start();
        boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        String text = Files.readString(printed, StandardCharsets.UTF_8);
        Files.delete(printed);
        System.out.println("python3 " + String.join(" ", List.of(arguments)) + " in " + folder + ":\n" + text);
        assertThat(ended).as("ended within " + limit + ": " + text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    /** Returns true where there is a Python that is new enough. */
    public static boolean isThere() throws InterruptedException {
        String check = "import sys; sys.exit(0 if sys.version_info >= (3, 9) else 1)";
        try {
            return new ProcessBuilder("python3", "-c", check).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
