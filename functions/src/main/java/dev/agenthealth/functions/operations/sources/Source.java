package dev.agenthealth.functions.operations.sources;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.operations.source.SourceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A source of agents.
 *
 * @param url what is read
 * @param keyId the key that owns its agents
 * @param kind what it offers, as declared; empty if the document says it
 * @param requireSignature whether only entries with a card whose signature is valid become agents
 * @param createdAt when it was written first
 * @param version counts how often it was written
 */
public record Source(
        String name,
        String url,
        String keyId,
        Optional<SourceKind> kind,
        boolean requireSignature,
        Instant createdAt,
        long version,
        SyncState state) {

    /** The time between two syncs. */
    public static final Duration PERIOD = Duration.ofHours(1);

    /** Returns whether it is time to read it, which it is at once after a sync that had no time for all entries. */
    public boolean isDue(Instant now) {
        return state.counts().getOrDefault(SyncState.POSTPONED, 0L) > 0 || ClockRule.hasPassed(state.at(), PERIOD, now);
    }
}
