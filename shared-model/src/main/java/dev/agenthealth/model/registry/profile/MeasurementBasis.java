package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The part of a profile against which an agent is measured.
 *
 * @param model the model of the agent
 * @param expectations the numbers that the agent declares about itself, or took over at its registration
 * @param restartedAt the restart of the measurement by a change of the window's length, in whole seconds; {@link Instant#EPOCH} without one
 */
public record MeasurementBasis(ModelInfo model, Expectations expectations, Instant restartedAt) {

    /** The basis of an agent that declares nothing. */
    public static final MeasurementBasis NONE =
            new MeasurementBasis(ModelInfo.UNKNOWN, Expectations.NONE, Instant.EPOCH);

    /** Returns the window of the measurement. */
    public MeasurementWindow window() {
        return new MeasurementWindow(expectations.window().length(), restartedAt);
    }

    /** Returns this basis as the successor of {@code before}. The measurement continues, but restarts if the length of the window changes. */
    public MeasurementBasis replacing(MeasurementBasis before, Instant now) {
        boolean restarts = !window().length().equals(before.window().length());
        return new MeasurementBasis(
                model.replacing(before.model, now),
                expectations,
                restarts ? now.truncatedTo(ChronoUnit.SECONDS) : before.restartedAt);
    }

    /** Returns this basis with another expectation. */
    public MeasurementBasis expecting(Expectation expectation, double number) {
        return new MeasurementBasis(model, expectations.with(expectation, number), restartedAt);
    }
}
