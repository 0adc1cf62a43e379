package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.identity.GroupNumber;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** What is left of {@link DeathQuota} while rows are written. Thread-safe. */
final class RemainingDeaths {

    private final boolean unlimited;
    private final Map<Long, AtomicLong> byOwner;
    private final AtomicLong nothing = new AtomicLong();

    RemainingDeaths(DeathQuota shares) {
        this.unlimited = shares.unlimited();
        this.byOwner = shares.byOwner().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, share -> new AtomicLong(share.getValue())));
    }

    /** Takes one death; {@code false} where none is left to this owner. */
    boolean take(long owner) {
        return unlimited || left(owner).getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    /** Gives back a death that was taken and did not come about. */
    void giveBack(long owner) {
        left(owner).incrementAndGet();
    }

    private AtomicLong left(long owner) {
        return byOwner.getOrDefault(owner, byOwner.getOrDefault(GroupNumber.NONE, nothing));
    }
}
