package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import java.util.Optional;

/** A change of an agent's lifecycle status, as recorded in its event. */
public record StatusChange(
        Instant at, LifecycleStatus before, LifecycleStatus after, Optional<LifecycleReason> reason) {}
