package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleTest {

    private final List<String> writes = new ArrayList<>();

    /** Prints to an output stream that is flushed at each end of a line, as the standard output is. */
    private final Console console = new Console(new PrintStream(new BufferedOutputStream(new Writes(), 8_192), true));

    private final class Writes extends OutputStream {

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            writes.add(new String(bytes, from, length, StandardCharsets.UTF_8));
        }
    }

    @Test
    void a_line_is_one_write() {
        console.println("[events] {\"id\":\"1\"}");
        console.println("x".repeat(5_000));
        assertThat(writes)
                .containsExactly(
                        "[events] {\"id\":\"1\"}" + System.lineSeparator(), "x".repeat(5_000) + System.lineSeparator());
    }

    @Test
    void a_metric_is_not_written() {
        console.println("{\"_aws\":{}}");
        assertThat(writes).isEmpty();
    }
}
