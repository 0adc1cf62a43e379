package dev.agenthealth.local.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A command that was run in this process.
 *
 * @param status its exit status
 * @param out what it printed
 * @param errors what it printed to standard error
 */
public record CommandRun(int status, String out, String errors) {

    /** Runs a command whose output goes to a file. */
    public static CommandRun of(Map<String, String> environment, String... arguments) {
        return of(environment, false, arguments);
    }

    static CommandRun of(Map<String, String> environment, boolean interactive, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int status =
                new CommandLineTool(new Terminal(environment, print(out), print(errors), interactive)).run(arguments);
        return new CommandRun(status, text(out), text(errors));
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream printed) {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
