package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.PublishedUsage;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageState;
import java.time.Instant;
import java.util.Optional;

/**
 * A change of the used part of a limit. It is written in one transaction with its event, or not at all.
 *
 * @param before the pulse as it was read; the write succeeds only if the agent had no other event since
 * @param after the pulse with the new level; the event is counted if the level or the limit changed
 * @param state the use of the limit
 * @param at the moment of the decision, and the timestamp of the event
 */
public record UsageChange(Pulse before, Pulse after, UsageState state, Instant at) {

    /** Returns the change that is due; empty if the published level, its limit and its end are up to date. */
    public static Optional<UsageChange> due(Pulse pulse, UsageState state, UsageLimits limits, Instant now) {
        PublishedUsage published = state.published();
        if (published.equals(pulse.usage())) {
            return Optional.empty();
        }
        boolean isEvent = published.level() != pulse.usage().level()
                || published.limit() != pulse.usage().limit();
        Pulse after = (isEvent ? pulse.withOneMoreEvent() : pulse).withUsage(published);
        boolean begins = state.level() == UsageLevel.EXCEEDED && pulse.usage().level() != UsageLevel.EXCEEDED;
        boolean restarts = limits.onExceeded() == OnExceeded.RESTART;
        boolean asks = begins && (restarts || limits.onExceeded() == OnExceeded.DRAIN);
        String reason = state.limit().wireName();
        return Optional.of(
                new UsageChange(pulse, asks ? StallRule.askedToDrain(after, reason, restarts) : after, state, now));
    }

    /** Returns whether the agent uses up a limit now. */
    public boolean begins() {
        return state.level() == UsageLevel.EXCEEDED && before.usage().level() != UsageLevel.EXCEEDED;
    }

    /** Returns whether the agent no longer uses up a limit: the hour or day has passed, or the limit was raised. */
    public boolean ends() {
        return state.level() != UsageLevel.EXCEEDED && before.usage().level() == UsageLevel.EXCEEDED;
    }

    /** Returns whether the change is published. */
    public boolean isPublished() {
        return before.sequence() != after.sequence();
    }

    /** Returns whether the agent is asked to drain or to restart. */
    public boolean asksToDrain() {
        return !before.coordination().equals(after.coordination());
    }
}
