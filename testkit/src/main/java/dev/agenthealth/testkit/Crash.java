package dev.agenthealth.testkit;

/** Thrown at the crash of a process. It is an {@link Error}, so that no handler of exceptions catches it. */
public final class Crash extends Error {

    private static final long serialVersionUID = 1;

    Crash() {
        super("the process ended");
    }
}
