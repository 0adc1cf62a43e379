package dev.agenthealth.model.outcome;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why an execution failed (Agent Health State §4.4). */
public enum ErrorType {
    CLIENT_ERROR(OutcomeCounter.CLIENT_ERRORS),
    SERVER_ERROR(OutcomeCounter.SERVER_ERRORS),
    TIMEOUT(OutcomeCounter.TIMEOUTS),
    MALFORMED(OutcomeCounter.MALFORMED),
    OTHER(OutcomeCounter.OTHER_ERRORS);

    private final String word = name().toLowerCase(Locale.ROOT);
    private final OutcomeCounter counter;

    ErrorType(OutcomeCounter counter) {
        this.counter = counter;
    }

    /** The word in requests and responses. */
    public String word() {
        return word;
    }

    /** What counts the failures of this type. */
    public OutcomeCounter counter() {
        return counter;
    }

    /** The type with this word; empty where there is none. */
    public static Optional<ErrorType> ofWord(String word) {
        return Arrays.stream(values()).filter(t -> t.word.equals(word)).findFirst();
    }
}
