package dev.agenthealth.local.cli;

/** A progress bar on a terminal; prints nothing elsewhere. Not thread-safe. */
final class Progress implements AutoCloseable {

    private static final int WIDTH = 30;

    private final Terminal terminal;
    private final String title;
    private int shown = -1;

    Progress(Terminal terminal, String title) {
        this.terminal = terminal;
        this.title = title;
    }

    /** Shows that {@code done} of {@code whole} is done. */
    void show(long done, long whole) {
        int percent = whole <= 0 ? 100 : (int) Math.min(100, 100 * done / whole);
        if (!terminal.interactive() || percent == shown) {
            return;
        }
        shown = percent;
        int filled = percent * WIDTH / 100;
        terminal.out()
                .print("\r" + title + " [" + "#".repeat(filled) + "-".repeat(WIDTH - filled) + "] " + percent + " %");
        terminal.out().flush();
    }

    @Override
    public void close() {
        end();
    }

    /** Ends the line of the bar. */
    void end() {
        if (shown >= 0) {
            terminal.out().println();
            shown = -1;
        }
    }
}
