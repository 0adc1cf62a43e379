package dev.agenthealth.functions.faults;

/** The end of a function's process; an {@link Error}, so that no handler of exceptions catches it. */
final class Killed extends Error {

    private static final long serialVersionUID = 1;

    Killed() {
        super("the function was killed");
    }
}
