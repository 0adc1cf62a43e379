package dev.agenthealth.functions.operations.sources;

import dev.agenthealth.model.registry.profile.CardSignature;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The result of the last sync of a source.
 *
 * @param at the beginning of the sync; {@link Instant#EPOCH} without one
 * @param wholeAt the beginning of the last complete sync that read the whole source; {@link Instant#EPOCH} without one
 * @param complete whether the sync was complete
 * @param counts the numbers of entries, by action
 * @param listed the first entries without an action
 * @param errors the first errors, in words for operators
 */
public record SyncState(
        Instant at, Instant wholeAt, boolean complete, Map<String, Long> counts, Listed listed, List<String> errors) {

    /** The state before the first sync. */
    public static final SyncState NONE =
            new SyncState(Instant.EPOCH, Instant.EPOCH, false, Map.of(), Listed.NONE, List.of());

    /** The name of the count of entries for which there was no time. */
    public static final String POSTPONED = "postponed";

    /** The maximum number of conflicts, refused entries, skipped entries and errors that are kept, each. */
    public static final int MAX_LISTED = 20;

    /** The maximum length of a stored identifier or error, in characters. */
    public static final int MAX_TEXT = 300;

    public SyncState {
        counts = Map.copyOf(counts);
        errors = List.copyOf(errors);
    }

    /**
     * The first entries without an action, by the kind of their reason.
     *
     * @param conflicts entries with an agent that does not belong to the source
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
     * @param identifier the name of the entry in the source; empty without a name
     * @param reason the reason in words for operators, after the identifier
     */
    public record Skipped(String identifier, String reason) {}

    /**
     * An entry with a conflict.
     *
     * @param identifier the name of the entry in the source
     * @param agentId the id that its agent would have
     * @param reason the reason in words for operators
     */
    public record Conflict(String identifier, String agentId, String reason) {}

    /**
     * An entry without a valid signature.
     *
     * @param identifier the name of the entry in the source
     * @param agentId the id that its agent has or would have
     * @param signature the result of verifying the signatures of its card
     * @param registered whether its agent was registered before, and stays unchanged
     */
    public record Refused(String identifier, String agentId, CardSignature signature, boolean registered) {}

    /** Returns whether the source was ever read. */
    public boolean isKnown() {
        return at.isAfter(Instant.EPOCH);
    }
}
