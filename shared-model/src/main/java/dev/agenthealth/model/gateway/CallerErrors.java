package dev.agenthealth.model.gateway;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The failures of an agent that its callers may have caused, by the owner of the caller's key. They are evidence once several owners met them,
 * and of each owner as many as of the others: one caller cannot ruin an agent, and an agent that refuses everybody does not look well.
 *
 * @param byOwner when each owner met its latest failures, in order of time; at most {@link #MAX_OWNERS} owners with {@link #MAX_EACH} each
 */
public record CallerErrors(Map<String, List<Instant>> byOwner) {

    /** The number of owners that have to meet failures before these are evidence. */
    public static final int MIN_OWNERS = 3;

    /** The owners that are kept, those with the latest failures. */
    public static final int MAX_OWNERS = 10;

    /** The failures of an owner that are kept, the latest. */
    public static final int MAX_EACH = 10;

    /** No failure was met. */
    public static final CallerErrors NONE = new CallerErrors(Map.of());

    public CallerErrors {
        byOwner = Map.copyOf(byOwner);
    }

    /**
     * These and one more.
     *
     * @param window failures before it are forgotten
     */
    public CallerErrors met(String owner, Instant now, Duration window) {
        Map<String, List<Instant>> kept = new HashMap<>();
        byOwner.forEach((other, moments) -> {
            List<Instant> recent = moments.stream()
                    .filter(at -> ClockRule.holds(at.plus(window), window, now))
                    .toList();
            if (!recent.isEmpty()) {
                kept.put(other, recent);
            }
        });
        List<Instant> own = new ArrayList<>(kept.getOrDefault(owner, List.of()));
        own.add(now);
        kept.put(owner, List.copyOf(own.subList(Math.max(0, own.size() - MAX_EACH), own.size())));
        if (kept.size() > MAX_OWNERS) {
            kept.entrySet().stream()
                    .filter(other -> !other.getKey().equals(owner))
                    .min(Comparator.comparing(
                            other -> other.getValue().get(other.getValue().size() - 1)))
                    .ifPresent(oldest -> kept.remove(oldest.getKey()));
        }
        return new CallerErrors(kept);
    }

    /**
     * Returns whether the latest failure of an owner is evidence about the agent: at least two other owners met as many failures. Beyond
     * {@link #MAX_EACH}, all are.
     */
    public boolean areEvidence(String owner) {
        int own = byOwner.getOrDefault(owner, List.of()).size();
        return own > 0
                && byOwner.values().stream()
                                .filter(moments -> moments.size() >= own)
                                .count()
                        >= MIN_OWNERS;
    }
}
