package dev.agenthealth.local.cli;

import java.io.PrintStream;

/** The console without metric lines, which only CloudWatch reads. Thread-safe. */
final class Console extends PrintStream {

    private static final String METRIC_LINE = "{\"_aws\":";

    Console(PrintStream out) {
        super(out, true);
    }

    @Override
    public void println(String line) {
        if (line == null || !line.startsWith(METRIC_LINE)) {
            // One call, because the output is flushed at each end of a line.
            print(line + System.lineSeparator());
        }
    }
}
