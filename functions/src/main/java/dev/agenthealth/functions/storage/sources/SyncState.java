package dev.agenthealth.functions.storage.sources;

import dev.agenthealth.model.profile.CardSignature;
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
 * @param conflicts the first ones
 * @param refused the first entries without a valid signature, where the source requires one
 * @param errors the first ones, in words for operators
 */
public record SyncState(
        Instant at,
        Instant wholeAt,
        boolean complete,
        Map<String, Long> counts,
        List<Conflict> conflicts,
        List<Refused> refused,
        List<String> errors) {

    /** A source that was not read yet. */
    public static final SyncState NONE =
            new SyncState(Instant.EPOCH, Instant.EPOCH, false, Map.of(), List.of(), List.of(), List.of());

    /** The count of entries for which there was no time. */
    public static final String POSTPONED = "postponed";

    /** The number of conflicts, of refused entries and of errors that are kept. */
    public static final int MAX_LISTED = 20;

    /** The length of an identifier and of an error that are kept, in characters. */
    public static final int MAX_TEXT = 300;

    public SyncState {
        counts = Map.copyOf(counts);
        conflicts = List.copyOf(conflicts);
        refused = List.copyOf(refused);
        errors = List.copyOf(errors);
    }

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
