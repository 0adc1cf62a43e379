package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.MeasurementBasis;
import dev.agenthealth.model.window.MeasurementWindow;

/**
 * Gives an agent that declares no measurement window the configured one when it registers. The window is stored in the profile: a later
 * change of the configuration does not change the windows of registered agents. Thread-safe.
 */
final class DefaultWindow {

    private final CachedConfiguration configured;

    DefaultWindow(CachedConfiguration configured) {
        this.configured = configured;
    }

    /** Returns the basis with a window. The default of 24 hours is not stored: a profile without a window means it. */
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
