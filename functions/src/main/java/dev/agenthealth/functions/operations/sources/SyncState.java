package dev.agenthealth.functions.operations.sources;

import dev.agenthealth.model.registry.profile.CardSignature;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The result of the last sync of a source.
 *
 * @param at when it began; {@link Instant#EPOCH} for never
 * @param wholeAt when the last complete sync began that read the whole source; {@link Instant#EPOCH} for never
 * @param complete whether it did all that was to do
 * @param counts of entries, by what was done with them
 * @param listed the first entries that changed nothing
 * @param errors the first ones, in words for operators
 */
public record SyncState(
        Instant at, Instant wholeAt, boolean complete, Map<String, Long> counts, Listed listed, List<String> errors) {

    /** A source that was not read yet. */
    public static final SyncState NONE =
            new SyncState(Instant.EPOCH, Instant.EPOCH, false, Map.of(), Listed.NONE, List.of());

    /** The count of entries for which there was no time. */
    public static final String POSTPONED = "postponed";

    /** The number of conflicts, of refused entries, of skipped ones and of errors that are kept. */
    public static final int MAX_LISTED = 20;

    /** The length of an identifier and of an error that are kept, in characters. */
    public static final int MAX_TEXT = 300;

    public SyncState {
        counts = Map.copyOf(counts);
        errors = List.copyOf(errors);
    }

    /**
     * The first entries that changed nothing, by the kind of their reason.
     *
     * @param conflicts entries whose agent is not the source's
     * @param refused entries without a valid signature, if the source requires one
     * @param skipped entries that declare no agent
     */
    public record Listed(List<Conflict> conflicts, List<Refused> refused, List<Skipped> skipped) {

        static final Listed NONE = new Listed(List.of(), List.of(), List.of());

        public Listed {
            conflicts = List.copyOf(conflicts);
            refused = List.copyOf(refused);
            skipped = List.copyOf(skipped);
        }
    }

    /**
     * An entry that declares no agent.
     *
     * @param identifier how the source names it; empty if it has no name
     * @param reason in words for operators, after the identifier
     */
    public record Skipped(String identifier, String reason) {}

    /**
     * An entry that changed nothing.
     *
     * @param identifier how the source names it
     * @param agentId the id that its agent would have
     * @param reason why, in words for operators
     */
    public record Conflict(String identifier, String agentId, String reason) {}

    /**
     * An entry without a valid signature.
     *
     * @param identifier how the source names it
     * @param agentId the id that its agent has or would have
     * @param signature what the signatures of its card are worth
     * @param registered whether its agent was registered before, and stays as it is
     */
    public record Refused(String identifier, String agentId, CardSignature signature, boolean registered) {}

    /** Returns whether the source was read. */
    public boolean isKnown() {
        return at.isAfter(Instant.EPOCH);
    }
}
