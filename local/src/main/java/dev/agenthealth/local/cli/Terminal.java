package dev.agenthealth.local.cli;

import java.io.Console;
import java.io.PrintStream;
import java.util.Map;

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
