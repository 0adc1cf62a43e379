package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.model.health.HealthRule.Lifecycle;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Instant;

/**
 * An agent whose health is computed.
 *
 * @param expectations the expectations of the agent
 * @param subject the part of its documents that does not depend on outcomes
 * @param lifecycle its lifecycle status
 * @param window the window of its measurement
 * @param measuredFrom when its measurement began
 */
record MeasuredAgent(
        Expectations expectations,
        HealthSubject subject,
        Lifecycle lifecycle,
        MeasurementWindow window,
        Instant measuredFrom) {}
