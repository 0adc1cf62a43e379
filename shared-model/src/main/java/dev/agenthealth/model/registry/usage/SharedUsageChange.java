package dev.agenthealth.model.registry.usage;

import java.time.Instant;
import java.util.Optional;

/**
 * A change of the used part of the limits of a role or an owner.
 *
 * @param holder the role or the owner
 * @param before the use as it was read; empty if the holder was within its limits
 * @param after the new use; empty if the holder is within its limits
 * @param at the moment of the change, later than the previous change
 */
public record SharedUsageChange(
        LimitHolder holder, Optional<SharedUsage> before, Optional<SharedUsage> after, Instant at) {

    /**
     * Returns the change that is due; empty if the stored level, its limit, its end and its action are up to date.
     *
     * @param action the action of a limit that is used up
     */
    public static Optional<SharedUsageChange> due(
            LimitHolder holder, Optional<SharedUsage> before, UsageState state, OnExceeded action, Instant now) {
        PublishedUsage published = state.published(action);
        if (published.equals(before.map(SharedUsage::published).orElse(PublishedUsage.NONE))) {
            return Optional.empty();
        }
        Instant at = before.map(SharedUsage::since)
                .filter(since -> !now.isAfter(since))
                .map(since -> since.plusMillis(1))
                .orElse(now);
        // Blocks end with their hour or day. If a limit was raised or removed, or no longer blocks, they are lifted.
        boolean raised = state.level() != UsageLevel.EXCEEDED
                && before.filter(usage -> usage.isExceeded(now)).isPresent();
        boolean lifting = raised
                || before.filter(usage -> usage.action() == OnExceeded.BLOCK && usage.isExceeded(now))
                                .isPresent()
                        && published.action() != OnExceeded.BLOCK;
        UsageState next = published.isOpen() || !lifting
                ? state
                : before.orElseThrow().state().ended();
        Optional<SharedUsage> after = published.isOpen() || lifting
                ? Optional.of(new SharedUsage(holder, next, at, "", false, lifting, published.action()))
                : Optional.empty();
        return Optional.of(new SharedUsageChange(holder, before, after, at));
    }

    /** Returns the level before the change. */
    public UsageLevel levelBefore() {
        return before.map(usage -> usage.state().level()).orElse(UsageLevel.NONE);
    }

    /** Returns the level after the change. */
    public UsageLevel levelAfter() {
        return after.map(usage -> usage.state().level()).orElse(UsageLevel.NONE);
    }

    /** Returns the limit of the new level, or of the level that is over. */
    public UsageLimit limit() {
        return after.or(() -> before).orElseThrow().state().limit();
    }

    /** Returns whether the change is published. A level that goes on in the next hour or day is not. */
    public boolean isPublished() {
        return levelBefore() != levelAfter()
                || before.orElseThrow().state().limit()
                        != after.orElseThrow().state().limit();
    }
}
