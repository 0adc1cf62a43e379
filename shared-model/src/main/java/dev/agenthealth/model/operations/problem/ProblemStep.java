package dev.agenthealth.model.operations.problem;

/** The effect of an event on problems. The last three concern all problems of an agent. */
public enum ProblemStep {
    /** The problem begins, or gets better or worse. */
    BEGINS('B'),
    ENDS('E'),
    /** The agent is dead, which is a problem itself. */
    DEATH('D'),
    /** The agent deregistered, or completed its drain. */
    DEPARTURE('L'),
    /** The agent registered again. */
    RENEWAL('R');

    private final char code;

    ProblemStep(char code) {
        this.code = code;
    }

    /** Returns the character that stands for it if it is stored. */
    public char code() {
        return code;
    }

    /** Returns whether it concerns all problems of an agent. */
    boolean isOfLife() {
        return this == DEATH || this == DEPARTURE || this == RENEWAL;
    }

    /** Returns whether it can be the beginning of a problem of its own subject. */
    boolean isBad() {
        return this == BEGINS || this == DEATH;
    }
}
