package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The part of a profile against which an agent is measured.
 *
 * @param model the model it runs on
 * @param expectations the numbers it declares about itself, or took over at its registration
 * @param restartedAt when its measurement restarted because its window got another length, in whole seconds; {@link Instant#EPOCH} for never
 */
public record MeasurementBasis(ModelInfo model, Expectations expectations, Instant restartedAt) {

    /** The basis of an agent that declares nothing. */
    public static final MeasurementBasis NONE =
            new MeasurementBasis(ModelInfo.UNKNOWN, Expectations.NONE, Instant.EPOCH);

    /** The window over which the agent is measured. */
    public MeasurementWindow window() {
        return new MeasurementWindow(expectations.window().length(), restartedAt);
    }

    /** This basis in the place of {@code before}, whose measurement it continues; a window of another length restarts it. */
    public MeasurementBasis replacing(MeasurementBasis before, Instant now) {
        boolean restarts = !window().length().equals(before.window().length());
        return new MeasurementBasis(
                model.replacing(before.model, now),
                expectations,
                restarts ? now.truncatedTo(ChronoUnit.SECONDS) : before.restartedAt);
    }

    /** Returns the same basis with this number among the expectations. */
    public MeasurementBasis expecting(Expectation expectation, double number) {
        return new MeasurementBasis(model, expectations.with(expectation, number), restartedAt);
    }
}
