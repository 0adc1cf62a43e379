package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalRunTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private OptionalInt command(String... arguments) throws InterruptedException {
        return LocalRun.command(arguments, Map.of(), print(out), print(errors));
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream printed) {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void withoutArgumentsTheSystemStarts() throws InterruptedException {
        assertThat(command()).isEmpty();
    }

    @Test
    void helpListsArgumentsAndVariables() throws InterruptedException {
        assertThat(command("--help")).hasValue(0);
        assertThat(text(out)).contains("fleet", "--version", "AGENT_HEALTH_PORT", "AGENT_HEALTH_DATA_DIR");
        assertThat(text(errors)).isEmpty();
    }

    @Test
    void theVersionIsOneLine() throws InterruptedException {
        assertThat(command("--version")).hasValue(0);
        assertThat(text(out)).matches("Agent Health .+\\R");
    }

    @ParameterizedTest
    @CsvSource({"--port", "start", "-x", "''"})
    void anUnknownArgumentIsAnErrorAndNoServer(String argument) throws InterruptedException {
        assertThat(command(argument)).hasValue(2);
        assertThat(text(errors))
                .isEqualToIgnoringNewLines(
                        "unknown argument " + argument + "; --help lists what there is" + System.lineSeparator());
        assertThat(text(out)).isEmpty();
    }

    @Test
    void aStartErrorIsOneLine() {
        assertThat(LocalRun.startError(new CompletionException(new IllegalStateException("the file\n is\tbroken\n"))))
                .isEqualTo("Agent Health cannot start: the file is broken");
        assertThat(LocalRun.startError(new IllegalStateException())).doesNotContain("null");
    }
}
