package dev.agenthealth.model.registry.usage;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The limits of roles and owners that are nearly or wholly used.
 *
 * @param open the uses, at most one for each holder
 */
public record SharedUsages(List<SharedUsage> open) {

    /** All roles and owners are within their limits. */
    public static final SharedUsages NONE = new SharedUsages(List.of());

    private static final Comparator<SharedUsage> BY_SEVERITY =
            Comparator.comparing(SharedUsage::state, UsageState.BY_SEVERITY);

    public SharedUsages {
        open = List.copyOf(open);
    }

    /** Returns the worst use of a limit that an agent shares now; empty if the agent's role and owner are within their limits. */
    public Optional<SharedUsage> of(long roleNumber, String ownerKeyId, Instant now) {
        return open.isEmpty()
                ? Optional.empty()
                : open.stream()
                        .filter(usage -> usage.levelAt(now) != UsageLevel.NONE)
                        .filter(usage -> usage.holder().covers(roleNumber, ownerKeyId))
                        .max(BY_SEVERITY);
    }

    /** Returns whether a used up limit that an agent shares asks the agent to drain or to restart. */
    public boolean commands(long roleNumber, String ownerKeyId, Instant now) {
        return open.stream()
                .filter(usage -> usage.isExceeded(now) && usage.action().isCommand())
                .anyMatch(usage -> usage.holder().covers(roleNumber, ownerKeyId));
    }

    /** Returns the used up limit that asks an agent to drain when it registers; empty if no limit does. */
    public Optional<UsageLimit> asking(long roleNumber, String ownerKeyId, Instant now) {
        return open.stream()
                .filter(usage -> usage.asking() && usage.isExceeded(now))
                .filter(usage -> usage.holder().covers(roleNumber, ownerKeyId))
                .max(BY_SEVERITY)
                .map(usage -> usage.state().limit());
    }

    /** Returns the use of the limits of a holder; empty if the holder was within its limits. */
    public Optional<SharedUsage> of(LimitHolder holder) {
        return open.stream().filter(usage -> usage.holder().equals(holder)).findFirst();
    }
}
