package dev.agenthealth.local.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A print stream whose lines a test can wait for. Thread-safe. */
public final class LineWaiter extends PrintStream {

    private final List<String> lines = new ArrayList<>();

    public LineWaiter() {
        super(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    }

    @Override
    public void println(String line) {
        synchronized (lines) {
            lines.add(line);
            lines.notifyAll();
        }
    }

    /** Returns when as many lines as wanted match; fails after the time given. */
    public void await(int count, Predicate<String> matching, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        synchronized (lines) {
            while (lines.stream().filter(matching).count() < count) {
                long millis = (end - System.nanoTime()) / 1_000_000;
                if (millis <= 0) {
                    throw new AssertionError("not seen in time; the lines are " + lines);
                }
                lines.wait(millis);
            }
        }
    }
}
