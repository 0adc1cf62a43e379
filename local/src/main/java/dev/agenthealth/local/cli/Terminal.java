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
