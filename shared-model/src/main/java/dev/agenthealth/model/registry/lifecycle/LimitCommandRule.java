package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.SharedUsages;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.time.Instant;
import java.util.Optional;

/** Decides which agents a used up limit asks to drain when they register, and when the command of a limit ends. */
public final class LimitCommandRule {

    private LimitCommandRule() {}

    /**
     * Returns the used up limit that asks an agent to drain when it registers again; empty if no limit does.
     *
     * @param previous the pulse before, which keeps the use of the agent's own limits
     * @param limits the new limits
     */
    public static Optional<UsageLimit> atRegistration(Pulse previous, UsageLimits limits, Instant now) {
        return limits.onExceeded() == OnExceeded.DRAIN && isExceeded(previous, now)
                ? Optional.of(previous.usage().limit())
                : Optional.empty();
    }

    /**
     * Returns whether a command of a limit is pending although neither the agent's own limit nor a shared limit asks for a command any more: no limit
     * is used up, or the action of the limit was changed.
     */
    public static boolean isOver(Pulse pulse, SharedUsages shared, Instant now) {
        return pulse.coordination().pendingDrain().isOfLimit()
                && !pulse.usage().commandsAt(now)
                && !shared.commands(
                        pulse.coordination().roleNumber(), pulse.owner().keyId(), now);
    }

    private static boolean isExceeded(Pulse pulse, Instant now) {
        return pulse.usage().levelAt(now) == UsageLevel.EXCEEDED;
    }
}
