package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The phases of a running task, by what it waits for. */
public enum Phase implements WireNamed {
    /** The answer of a model. */
    MODEL("in a model call"),
    /** The result of a tool. */
    TOOL("in a tool"),
    /** A person. */
    HUMAN("waiting for a person"),
    /** Anything else: the agent's own code. */
    OTHER("in its own code");

    private final String place;

    Phase(String place) {
        this.place = place;
    }

    /** The place of a task in this phase, as a sentence continues: {@code "in a tool"}. */
    public String place() {
        return place;
    }
}
