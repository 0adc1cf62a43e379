package dev.agenthealth.model.registry.outcome;

import dev.agenthealth.model.WireNamed;

/** The kinds of failures of an execution (Agent Health State §4.4). */
public enum ErrorType implements WireNamed {
    CLIENT_ERROR(OutcomeCounter.CLIENT_ERRORS),
    SERVER_ERROR(OutcomeCounter.SERVER_ERRORS),
    TIMEOUT(OutcomeCounter.TIMEOUTS),
    MALFORMED(OutcomeCounter.MALFORMED),
    /** A model provider limited the rate of calls, was unavailable or did not answer in time. */
    UPSTREAM(OutcomeCounter.UPSTREAM_ERRORS),
    OTHER(OutcomeCounter.OTHER_ERRORS);

    private final OutcomeCounter counter;

    ErrorType(OutcomeCounter counter) {
        this.counter = counter;
    }

    /** Returns the counter of the failures of this type. */
    public OutcomeCounter counter() {
        return counter;
    }
}
