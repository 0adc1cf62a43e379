package dev.agenthealth.model.operations.silence;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A time in which operators are not notified of some events. Names are unique among the silences of administrators, and among the silences of one
 * owner.
 *
 * @param ownerKeyId the key to whose agents the silence is limited; empty if an administrator wrote it
 * @param name the name
 * @param id an id that changes with every write
 * @param scope the events that the silence covers
 * @param period the times at which the silence is active
 * @param reason the reason, for people
 * @param created the last write
 */
public record Silence(
        String ownerKeyId,
        String name,
        String id,
        SilenceScope scope,
        SilencePeriod period,
        String reason,
        Creation created) {

    /**
     * The last write of a silence.
     *
     * @param by the id of the key that wrote the silence
     */
    public record Creation(String by, Instant at) {}

    /** The maximum number of silences of administrators. */
    public static final int MAX_SILENCES = 100;

    /** The maximum number of silences of one owner. */
    public static final int MAX_OF_OWNER = 10;

    /** The maximum number of silences of all owners. */
    public static final int MAX_OF_OWNERS = 200;

    /** Returns whether the silence is active. */
    public boolean isActive(Instant now) {
        return endsAt(now).isPresent();
    }

    /** Returns the end of the present activity; empty if the silence is not active. */
    public Optional<Instant> endsAt(Instant now) {
        return period.activeUntil(now);
    }

    /** Returns whether the silence covers an event with these labels. A silence of an owner covers agents only as long as its key owns them. */
    public boolean covers(SilenceLabels labels) {
        return (ownerKeyId.isEmpty() || ownerKeyId.equals(labels.ownerKeyId())) && scope.covers(labels);
    }

    /** Returns whether the silence matches by labels that no event has, so that the agent has to be read. */
    public boolean needsLookup() {
        return !ownerKeyId.isEmpty() || scope.needsLookup();
    }

    /** Returns the silence that covers the labels and ends last; empty if no silence covers them. */
    public static Optional<Silence> lastToEnd(List<Silence> active, SilenceLabels labels, Instant now) {
        return active.stream()
                .filter(silence -> silence.covers(labels))
                .max(Comparator.comparing(
                                (Silence silence) -> silence.endsAt(now).orElse(now))
                        .thenComparing(Silence::id));
    }

    public String createdBy() {
        return created.by();
    }

    public Instant createdAt() {
        return created.at();
    }
}
