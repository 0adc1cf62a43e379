package dev.agenthealth.local.cli;

/** The program in the jar; see {@link CommandLineTool}. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLineTool(Terminal.ofProcess()).run(arguments));
    }
}
