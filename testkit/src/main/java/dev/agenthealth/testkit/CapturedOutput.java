package dev.agenthealth.testkit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Captures standard output, to which functions write their log. Functions keep the stream that is set when they are created: create this
 * first.
 */
public final class CapturedOutput implements AutoCloseable {

    private final PrintStream original = System.out;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public CapturedOutput() {
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** Everything written so far. */
    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The lines written so far. */
    public List<String> lines() {
        return text().lines().toList();
    }

    @Override
    public void close() {
        System.setOut(original);
    }
}
