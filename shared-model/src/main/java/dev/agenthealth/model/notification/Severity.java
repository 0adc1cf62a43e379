package dev.agenthealth.model.notification;

import dev.agenthealth.model.Word;
import java.util.Optional;

/** The severity of an event, in the words of PagerDuty; the most severe first. */
public enum Severity implements Word {
    CRITICAL,
    ERROR,
    WARNING,
    INFO;

    /** The severity with this word; empty where there is none. */
    public static Optional<Severity> ofWord(String word) {
        return Word.find(Severity.class, word);
    }
}
