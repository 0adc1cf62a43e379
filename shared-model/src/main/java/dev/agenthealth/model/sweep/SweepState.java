package dev.agenthealth.model.sweep;

import java.time.Instant;

/**
 * The little that passes of the sweep tell each other; everything else is recomputed from the rows just read.
 *
 * @param graceFrom silence before this moment is forgiven; only rises; {@link Instant#EPOCH} at first
 * @param blackoutSince since when the registry has not heard its own canaries; {@link Instant#MIN} while it hears them
 * @param massSilenceSince since when dying is slowed down; {@link Instant#MIN} while it is not
 * @param fleetSize monitored agents at the last count, 0 before the first
 * @param startedAt when the pass before this one started, or was last known to be sweeping; {@link Instant#MIN} where there was none
 * @param markedThrough the start of the last pass that is known to have marked every agent whose status had changed; {@link Instant#MIN}
 *     where none is
 */
public record SweepState(
        Instant graceFrom,
        Instant blackoutSince,
        Instant massSilenceSince,
        long fleetSize,
        Instant startedAt,
        Instant markedThrough) {

    public boolean isBlackout() {
        return blackoutSince.isAfter(Instant.MIN);
    }

    public boolean isMassSilence() {
        return massSilenceSince.isAfter(Instant.MIN);
    }

    /** The state after an amnesty, which never takes back an earlier one. */
    public SweepState withGraceFrom(Instant moment) {
        return moment.isAfter(graceFrom)
                ? new SweepState(moment, blackoutSince, massSilenceSince, fleetSize, startedAt, markedThrough)
                : this;
    }
}
