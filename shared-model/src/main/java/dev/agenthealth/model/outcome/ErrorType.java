package dev.agenthealth.model.outcome;

import dev.agenthealth.model.Word;
import java.util.Optional;

/** Why an execution failed (Agent Health State §4.4). */
public enum ErrorType implements Word {
    CLIENT_ERROR(OutcomeCounter.CLIENT_ERRORS),
    SERVER_ERROR(OutcomeCounter.SERVER_ERRORS),
    TIMEOUT(OutcomeCounter.TIMEOUTS),
    MALFORMED(OutcomeCounter.MALFORMED),
    OTHER(OutcomeCounter.OTHER_ERRORS);

    private final OutcomeCounter counter;

    ErrorType(OutcomeCounter counter) {
        this.counter = counter;
    }

    /** What counts the failures of this type. */
    public OutcomeCounter counter() {
        return counter;
    }

    /** The type with this word; empty where there is none. */
    public static Optional<ErrorType> ofWord(String word) {
        return Word.find(ErrorType.class, word);
    }
}
