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
 * @param interactive true if a person reads the output on a terminal
 */
record Terminal(Map<String, String> environment, PrintStream out, PrintStream errors, boolean interactive) {

    /** Returns the terminal of this process. */
    static Terminal ofProcess() {
        return new Terminal(System.getenv(), System.out, System.err, isTerminal(System.console()));
    }

    /** Returns true if words may be coloured: on a terminal, unless NO_COLOR is set. */
    boolean hasColours() {
        return interactive
                && variable("NO_COLOR").isEmpty()
                && !variable("TERM").equals("dumb");
    }

    /** Returns a copy for output that no person reads. */
    Terminal quiet() {
        return new Terminal(environment, out, errors, false);
    }

    /** Returns an environment variable; empty if it is not set. */
    String variable(String name) {
        return environment.getOrDefault(name, "").strip();
    }

    /**
     * Prints a list: as JSON below a name, or for people.
     *
     * @param none the message for people if the list is empty
     * @param print prints a list that is not empty
     * @return the exit status
     * @throws OutputClosedException if the reader of the output has closed the pipe
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
     * Ends the command if the reader of its output has closed the pipe.
     *
     * @throws OutputClosedException if it has
     */
    void checkOutput() {
        if (out.checkError()) {
            throw new OutputClosedException();
        }
    }

    /**
     * Returns true if the console is a terminal. From Java 22 on, a console exists even if the output goes to a file. Only a method that
     * Java 17 lacks distinguishes them.
     */
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

    /** Thrown if the reader of the output has closed the pipe. */
    static final class OutputClosedException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
