package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectation;
import dev.agenthealth.model.window.MeasurementWindow;

/**
 * Gives an agent that declares no measurement window the one that the runtime configuration says when it registers. It is written into the
 * agent's profile, so that no later change of the configuration moves the window of an agent that is registered. Thread-safe.
 */
final class DefaultWindow {

    private final CachedConfiguration<MeasurementWindow> configured;

    DefaultWindow(CachedConfiguration<MeasurementWindow> configured) {
        this.configured = configured;
    }

    /** The profile with a window of its own. 24 hours are not written down, as a profile without a window means them for ever. */
    AgentProfile into(AgentProfile profile) {
        if (profile.expectations().containsKey(Expectation.WINDOW_SECONDS)) {
            return profile;
        }
        MeasurementWindow window = configured.current();
        return window.equals(MeasurementWindow.DEFAULT)
                ? profile
                : profile.expecting(Expectation.WINDOW_SECONDS, window.seconds());
    }
}
