package dev.agenthealth.functions.operations.sources;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.operations.source.SourceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A source of agents.
 *
 * @param url the address of the source
 * @param keyId the key that owns its agents
 * @param options the options of the source
 * @param createdAt the first write
 * @param version the number of writes
 */
public record Source(
        String name, String url, String keyId, Options options, Instant createdAt, long version, SyncState state) {

    /**
     * The options of a source.
     *
     * @param kind the declared kind of the source; empty if the document decides
     * @param requireSignature whether only entries with a validly signed card become agents
     */
    public record Options(Optional<SourceKind> kind, boolean requireSignature) {}

    /** The time between two syncs. */
    public static final Duration PERIOD = Duration.ofHours(1);

    /** Returns whether the source is due. After a sync that had no time for all entries, it is due at once. */
    public boolean isDue(Instant now) {
        return state.counts().getOrDefault(SyncState.POSTPONED, 0L) > 0 || ClockRule.hasPassed(state.at(), PERIOD, now);
    }

    public Optional<SourceKind> kind() {
        return options.kind();
    }

    public boolean requireSignature() {
        return options.requireSignature();
    }
}
