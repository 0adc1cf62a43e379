package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Console;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The environment and the streams of a command.
 *
 * @param environment its environment variables
 * @param out standard output
 * @param errors standard error
 * @param interactive true when a person reads the output on a terminal
 */
record Terminal(Map<String, String> environment, PrintStream out, PrintStream errors, boolean interactive) {

    /** That of this process. */
    static Terminal ofProcess() {
        return new Terminal(System.getenv(), System.out, System.err, isTerminal(System.console()));
    }

    /** True when words may be coloured: on a terminal, unless NO_COLOR is set. */
    boolean hasColours() {
        return interactive
                && variable("NO_COLOR").isEmpty()
                && !variable("TERM").equals("dumb");
    }

    /** A copy for output that no person reads. */
    Terminal quiet() {
        return new Terminal(environment, out, errors, false);
    }

    /** An environment variable; empty when it is not set. */
    String variable(String name) {
        return environment.getOrDefault(name, "").strip();
    }

    /**
     * Prints a list: as JSON with all of it below a name, or for people.
     *
     * @param none what is said where people would see nothing
     * @param print prints a list that is not empty
     * @return the exit status
     * @throws OutputClosedException when the reader of the output has closed the pipe
     */
    int list(boolean json, String name, List<JsonNode> rows, String none, Consumer<List<JsonNode>> print) {
        if (json) {
            out.println(Text.json(Map.of(name, rows)));
        } else if (rows.isEmpty()) {
            errors.println(none);
        } else {
            print.accept(rows);
        }
        checkOutput();
        return ExitStatus.OK;
    }

    /**
     * Ends the command when the reader of its output has closed the pipe.
     *
     * @throws OutputClosedException when it is so
     */
    void checkOutput() {
        if (out.checkError()) {
            throw new OutputClosedException();
        }
    }

    /** From Java 22 on, there is a console also when the output goes to a file; it says so in a method that Java 17 lacks. */
    private static boolean isTerminal(Console console) {
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** The reader of the output has closed the pipe. */
    static final class OutputClosedException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
