package dev.agenthealth.functions.measurement;

import dev.agenthealth.model.health.HealthRule.Lifecycle;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Instant;

/**
 * An agent whose health is computed.
 *
 * @param expectations what the agent is measured by
 * @param subject what its documents say beside its outcomes
 * @param lifecycle its lifecycle status
 * @param window the window over which it is measured
 * @param measuredFrom when its measurement began
 */
record MeasuredAgent(
        Expectations expectations,
        HealthSubject subject,
        Lifecycle lifecycle,
        MeasurementWindow window,
        Instant measuredFrom) {}
