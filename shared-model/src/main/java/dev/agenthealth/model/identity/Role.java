package dev.agenthealth.model.identity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What the holder of an API key may do. */
public enum Role {
    /** Registers agents, and acts on those it registered. */
    AGENT,
    /** Besides: finds agents, reads all of them, drains them; possibly of some roles only. */
    COORDINATOR,
    /** Everything. */
    ADMINISTRATOR;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word used in requests and responses. */
    public String word() {
        return word;
    }

    /** The role with this word; empty where there is none. */
    public static Optional<Role> ofWord(String word) {
        return Arrays.stream(values()).filter(r -> r.word.equals(word)).findFirst();
    }
}
