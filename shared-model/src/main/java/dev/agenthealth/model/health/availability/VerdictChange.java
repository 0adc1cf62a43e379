package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.VerdictReason;
import java.time.Instant;
import java.util.Optional;

/**
 * A change of one reason for the verdict on an agent, as an event recorded it.
 *
 * @param source the source of the reason; other sources keep their reasons
 * @param before the reason before the change; empty if this source had none
 * @param after the reason after the change; empty if this source has none
 * @param cause the cause that an incident names; empty for {@code after}
 */
public record VerdictChange(
        Instant at,
        VerdictSource source,
        Optional<VerdictReason> before,
        Optional<VerdictReason> after,
        Optional<? extends WireNamed> cause) {}
