package dev.agenthealth.model.operations.problem;

/** The effect of an event on problems. The last three effects concern all problems of an agent. */
public enum ProblemStep {
    /** The problem begins, or its severity changes. */
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

    /** Returns the character that is stored for this step. */
    public char code() {
        return code;
    }

    /** Returns whether this step concerns all problems of an agent. */
    boolean isOfLife() {
        return this == DEATH || this == DEPARTURE || this == RENEWAL;
    }

    /** Returns whether this step can begin a problem of its own subject. */
    boolean isBad() {
        return this == BEGINS || this == DEATH;
    }
}
