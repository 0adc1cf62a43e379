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
 * Outcomes of an agent that its callers may have caused, by the owner of the caller's key. A record has either failures or successes.
 *
 * <p>Failures are evidence only if several owners had them, and each owner's failures count only as far as other owners had as many. So one caller
 * cannot ruin an agent, and an agent that refuses everybody gets no good reputation. Successes of an owner are evidence up to a number. Beyond that
 * number, they are evidence only if enough other owners reached it too. So one caller cannot make the reputation of an agent.
 *
 * @param byOwner the times of each owner's latest outcomes, in order; at most {@link #MAX_OWNERS} owners with {@link #MAX_EACH} outcomes each
 */
public record CallerOutcomes(Map<String, List<Instant>> byOwner) {

    /** The number of owners that confirm each other's outcomes. */
    public static final int MIN_OWNERS = 3;

    /** The maximum number of owners. The owners with the latest outcomes are kept. */
    public static final int MAX_OWNERS = 10;

    /** The maximum number of outcomes per owner. The latest outcomes are kept. */
    public static final int MAX_EACH = 10;

    /** The time for which successes are kept. The agent's owner cannot choose it, unlike the window of measurement. */
    public static final Duration SUCCESS_WINDOW = Duration.ofDays(1);

    /** The record without any outcome. */
    public static final CallerOutcomes NONE = new CallerOutcomes(Map.of());

    public CallerOutcomes {
        byOwner = Map.copyOf(byOwner);
    }

    /**
     * Returns this record with one more outcome.
     *
     * @param window the time for which outcomes are kept
     */
    public CallerOutcomes met(String owner, Instant now, Duration window) {
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
        return new CallerOutcomes(kept);
    }

    /**
     * Returns whether the latest failure of an owner is evidence about the agent: at least two other owners had as many failures. All failures
     * beyond {@link #MAX_EACH} are evidence.
     */
    public boolean areEvidence(String owner) {
        int own = byOwner.getOrDefault(owner, List.of()).size();
        return own > 0
                && byOwner.values().stream()
                                .filter(moments -> moments.size() >= own)
                                .count()
                        >= MIN_OWNERS;
    }

    /** Returns whether an owner's successes in the window are still below the number that is evidence without other owners. */
    public boolean hasRoom(String owner, Instant now) {
        return recent(owner, now) < MAX_EACH;
    }

    /** Returns whether enough owners reached that number, so that further successes of each are evidence. */
    public boolean confirmSuccesses(Instant now) {
        return byOwner.keySet().stream().filter(owner -> !hasRoom(owner, now)).count() >= MIN_OWNERS;
    }

    private long recent(String owner, Instant now) {
        return byOwner.getOrDefault(owner, List.of()).stream()
                .filter(at -> ClockRule.holds(at.plus(SUCCESS_WINDOW), SUCCESS_WINDOW, now))
                .count();
    }
}
