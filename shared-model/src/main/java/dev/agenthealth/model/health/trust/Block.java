package dev.agenthealth.model.health.trust;

import java.time.Instant;
import java.util.Optional;

/**
 * The last decision of operators about calls of an agent or a provider (ServiceNet, Blocking and unblocking).
 *
 * @param inForce whether no call may be made now
 * @param reason why it is or was blocked, in the operator's words, for operators only; empty where none was given
 * @param until when the block ends or ended by itself; {@link Instant#MAX} where it does not
 * @param actor id of the key that decided last; empty where there was no decision
 * @param at when that was decided, or its end was noted; {@link Instant#EPOCH} where nothing ever was
 * @param revision how many decisions and noted ends there were
 */
public record Block(boolean inForce, String reason, Instant until, String actor, Instant at, long revision) {

    /** No decision was made yet. */
    public static final Block NONE = new Block(false, "", "", Instant.EPOCH, 0);

    /** A decision without an end. */
    public Block(boolean inForce, String reason, String actor, Instant at, long revision) {
        this(inForce, reason, Instant.MAX, actor, at, revision);
    }

    /** The maximum length of a reason, in characters. */
    public static final int MAX_REASON_LENGTH = 500;

    /** The latest end, which every reader of RFC 3339 can read. */
    public static final Instant MAX_END = Instant.parse("9999-12-31T23:59:59.999Z");

    /** The block after a decision to block; empty where that changes nothing, since it is blocked for this reason and time already. */
    public Optional<Block> blocked(String why, Instant end, String by, Instant now) {
        return inForce && reason.equals(why) && until.equals(end)
                ? Optional.empty()
                : Optional.of(new Block(true, why, end, by, next(now), revision + 1));
    }

    /** The block after a decision to unblock; empty where that changes nothing. */
    public Optional<Block> unblocked(String by, Instant now) {
        return inForce ? Optional.of(new Block(false, reason, by, next(now), revision + 1)) : Optional.empty();
    }

    /** The block as it is now: over, where its end has passed. */
    public Block asOf(Instant now) {
        return isOver(now) ? new Block(false, reason, until, actor, at, revision) : this;
    }

    /** The block after its end is noted; empty where it has not passed, or is noted already. */
    public Optional<Block> ended(Instant now) {
        return isOver(now)
                ? Optional.of(new Block(false, reason, until, actor, next(now), revision + 1))
                : Optional.empty();
    }

    private boolean isOver(Instant now) {
        return inForce && !now.isBefore(until);
    }

    /** The time of the next decision: another server's clock may be behind that of the last one, and subscribers put events in order by their times. */
    private Instant next(Instant now) {
        return now.isBefore(at) ? at : now;
    }

    /** Until when the row of the agent says that it is blocked; {@link Instant#EPOCH} where it is not. */
    public Instant noted() {
        Instant end = until.isAfter(MAX_END) ? MAX_END : until;
        return inForce ? end : Instant.EPOCH;
    }

    /** Returns whether the block ends by itself. */
    public boolean hasEnd() {
        return until.isBefore(Instant.MAX);
    }
}
