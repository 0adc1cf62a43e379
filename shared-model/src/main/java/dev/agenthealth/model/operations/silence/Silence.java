package dev.agenthealth.model.operations.silence;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A time in which operators are not notified of some events. Names are unique among the silences of administrators, and among those of one owner.
 *
 * @param ownerKeyId the key whose agents it is limited to; empty if an administrator wrote it
 * @param name its name
 * @param id differs each time that it is written
 * @param scope which events it covers
 * @param period when it is active
 * @param reason why, for people
 * @param createdBy the id of the key that wrote it last
 * @param createdAt when it was written last
 */
public record Silence(
        String ownerKeyId,
        String name,
        String id,
        SilenceScope scope,
        SilencePeriod period,
        String reason,
        String createdBy,
        Instant createdAt) {

    /** The maximum number of silences of administrators. */
    public static final int MAX_SILENCES = 100;

    /** The maximum number of silences of one owner. */
    public static final int MAX_OF_OWNER = 10;

    /** The maximum number of silences of all owners. */
    public static final int MAX_OF_OWNERS = 200;

    /** Returns whether it is active. */
    public boolean isActive(Instant now) {
        return endsAt(now).isPresent();
    }

    /** Returns when the silence that is active now ends; empty if it is not active. */
    public Optional<Instant> endsAt(Instant now) {
        return period.activeUntil(now);
    }

    /** Returns whether it covers an event with these labels; one of an owner covers agents as long as that key owns them. */
    public boolean covers(SilenceLabels labels) {
        return (ownerKeyId.isEmpty() || ownerKeyId.equals(labels.ownerKeyId())) && scope.covers(labels);
    }

    /** Returns whether it matches by labels that no event carries, so that the agent has to be read. */
    public boolean needsLookup() {
        return !ownerKeyId.isEmpty() || scope.needsLookup();
    }

    /** Returns the silence among these that covers the labels and ends last; empty if none does. */
    public static Optional<Silence> lastToEnd(List<Silence> active, SilenceLabels labels, Instant now) {
        return active.stream()
                .filter(silence -> silence.covers(labels))
                .max(Comparator.comparing(
                                (Silence silence) -> silence.endsAt(now).orElse(now))
                        .thenComparing(Silence::id));
    }
}
