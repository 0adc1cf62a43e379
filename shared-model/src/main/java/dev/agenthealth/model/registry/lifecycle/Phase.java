package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The phase of a running task: the thing that the task waits for. */
public enum Phase implements WireNamed {
    /** The task waits for the answer of a model. */
    MODEL("in a model call"),
    /** The task waits for the result of a tool. */
    TOOL("in a tool"),
    /** The task waits for a person. */
    HUMAN("waiting for a person"),
    /** The task runs the agent's own code, or waits for anything else. */
    OTHER("in its own code");

    private final String place;

    Phase(String place) {
        this.place = place;
    }

    /** Returns the phase as the end of a sentence, such as {@code "in a tool"}. */
    public String place() {
        return place;
    }
}
