package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.window.MeasurementWindow;

/**
 * Adds the configured measurement window to the profile of a new agent that declares no window. Thread-safe.
 *
 * <p>The profile stores the window, so that a later change of the configuration does not affect registered agents.
 */
final class DefaultWindow {

    private final CachedConfiguration configured;

    DefaultWindow(CachedConfiguration configured) {
        this.configured = configured;
    }

    /** Returns the basis with a window. A window of 24 hours is not stored, because a profile without a window has this window. */
    MeasurementBasis into(MeasurementBasis basis) {
        if (basis.expectations().declared().containsKey(Expectation.WINDOW_SECONDS)) {
            return basis;
        }
        MeasurementWindow window = configured.current().configuration().defaultWindow();
        return window.equals(MeasurementWindow.DEFAULT)
                ? basis
                : basis.expecting(Expectation.WINDOW_SECONDS, window.seconds());
    }
}
