package dev.agenthealth.model.profile;

import java.util.Arrays;
import java.util.Optional;

/** The version of the A2A protocol that an agent speaks. */
public enum A2aVersion {
    V0_3("0.3"),
    V1_0("1.0");

    /** What an agent speaks that says nothing. */
    public static final A2aVersion DEFAULT = V0_3;

    private final String word;

    A2aVersion(String word) {
        this.word = word;
    }

    /** Major and minor number, as in requests and responses. */
    public String word() {
        return word;
    }

    /** The version with this word; empty where there is none. */
    public static Optional<A2aVersion> ofWord(String word) {
        return Arrays.stream(values()).filter(v -> v.word.equals(word)).findFirst();
    }
}
