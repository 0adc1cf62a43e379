package dev.agenthealth.testkit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Captures standard output, to which functions write their log. Create it before the functions, because they keep the stream that is set at
 * their creation.
 */
public final class CapturedOutput implements AutoCloseable {

    private final PrintStream original = System.out;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public CapturedOutput() {
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** Returns everything written so far. */
    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Returns the lines written so far. */
    public List<String> lines() {
        return text().lines().toList();
    }

    @Override
    public void close() {
        System.setOut(original);
    }
}
