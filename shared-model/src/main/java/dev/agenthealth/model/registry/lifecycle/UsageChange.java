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

    /** Returns the change that is due; empty if the published level, its limit, its end and the action are up to date. */
    public static Optional<UsageChange> due(Pulse pulse, UsageState state, UsageLimits limits, Instant now) {
        PublishedUsage published = state.published(limits.onExceeded());
        if (published.equals(pulse.usage())) {
            return Optional.empty();
        }
        boolean isEvent = published.level() != pulse.usage().level()
                || published.limit() != pulse.usage().limit();
        Pulse after = (isEvent ? pulse.withOneMoreEvent() : pulse).withUsage(published);
        if (published.action().isCommand()) {
            after = StallRule.askedToDrain(
                    withoutCommandOfLimit(after), state.limit().wireName(), published.action() == OnExceeded.RESTART);
        }
        return Optional.of(new UsageChange(pulse, after, state, now));
    }

    /** Returns the pulse without the command of a limit, so that the command of the present action takes its place. */
    private static Pulse withoutCommandOfLimit(Pulse pulse) {
        return pulse.coordination().pendingDrain().isOfLimit() ? pulse.withPendingDrain(PendingDrain.NONE) : pulse;
    }

    /** Returns whether calls of the agent are refused from now on, or for longer than before. */
    public boolean blocks() {
        return after.usage().action() == OnExceeded.BLOCK;
    }

    /** Returns whether a block of the previous limit ends: the hour or day has passed, the limit was raised, or its action is another action. */
    public boolean unblocks() {
        return !blocks() && before.usage().level() == UsageLevel.EXCEEDED;
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
