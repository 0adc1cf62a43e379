package dev.agenthealth.model.operations.silence;

import java.time.Instant;

/** The beginnings of a recurring silence. Immutable and thread-safe. */
@FunctionalInterface
public interface StartTimes {

    /** Returns the first beginning later than a moment; {@link Instant#MAX} without one. */
    Instant nextAfter(Instant moment);
}
