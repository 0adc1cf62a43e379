package dev.agenthealth.local.cli;

/** The program in the jar; see {@link CommandLineTool}. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        // A request that may have had an effect is not sent again without the caller's knowledge.
        System.setProperty("sun.net.http.retryPost", "false");
        // Jetty lists all locales at the start, and all texts are English: without their data a start is much shorter.
        System.setProperty("java.locale.providers", "SPI");
        System.exit(new CommandLineTool(Terminal.ofProcess()).run(arguments));
    }
}
