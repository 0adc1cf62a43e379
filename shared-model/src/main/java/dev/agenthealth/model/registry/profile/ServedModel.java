package dev.agenthealth.model.registry.profile;

/**
 * The model that a provider serves when an agent requests a model by an alias, as spans show it.
 *
 * @param present the name of the model that is served now
 * @param before the name of the model that was served before it; empty if only one is known. While a provider replaces a model, it serves both.
 */
public record ServedModel(String present, String before) {

    /** Returns this model after the provider served a model by this name. */
    ServedModel then(String name) {
        return knows(name) ? this : new ServedModel(name, present);
    }

    /** Returns whether the model is one of the two that are served. */
    boolean knows(String name) {
        return name.equals(present) || name.equals(before);
    }
}
