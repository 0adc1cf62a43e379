package dev.agenthealth.model.health.trust;

import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.usage.LimitReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The last decision of operators, or of one of their rules, to block or unblock an agent or a provider (ServiceNet, Blocking and unblocking).
 *
 * @param inForce whether calls are forbidden now
 * @param reason the reason in the operator's words, for operators only; empty if the operator gave none
 * @param until the time at which the block ends or ended by itself; {@link Instant#MAX} without an end
 * @param actor the id of the key that decided last, or the name of a rule after {@code containment/}; empty before the first decision
 * @param at the time of that decision, or of recording the block's end; {@link Instant#EPOCH} before the first decision
 * @param revision the number of decisions and recorded ends
 * @param containment the rule that decided, and the trial calls that end the block; {@link Containment#NONE} if a person decided
 */
public record Block(
        boolean inForce,
        String reason,
        Instant until,
        String actor,
        Instant at,
        long revision,
        Containment containment) {

    /** The block before any decision. */
    public static final Block NONE = new Block(false, "", "", Instant.EPOCH, 0);

    /** Creates a decision of a person. */
    public Block(boolean inForce, String reason, Instant until, String actor, Instant at, long revision) {
        this(inForce, reason, until, actor, at, revision, Containment.NONE);
    }

    /** Creates a decision without an end. */
    public Block(boolean inForce, String reason, String actor, Instant at, long revision) {
        this(inForce, reason, Instant.MAX, actor, at, revision);
    }

    /** The maximum length of a reason, in characters. */
    public static final int MAX_REASON_LENGTH = 500;

    /** The latest end, which every reader of RFC 3339 can read. */
    public static final Instant MAX_END = Instant.parse("9999-12-31T23:59:59.999Z");

    private static final Duration MAX_WAIT = Duration.ofDays(1);

    /** Returns the block after a decision to block; empty if the same reason and end are in force already. A person takes over the block of a limit. */
    public Optional<Block> blocked(String why, Instant end, String by, Instant now) {
        boolean isSame = inForce && !containment.isByRule() && reason.equals(why) && until.equals(end);
        // The block of a limit ends with the limit, and the same block of a person does not.
        boolean isTaken = limit().isPresent() && !by.equals(PendingDrain.REGISTRY);
        return isSame && !isTaken
                ? Optional.empty()
                : Optional.of(new Block(true, why, end, by, next(now), revision + 1));
    }

    /** Returns the block after a decision to unblock; empty if no block is in force. */
    public Optional<Block> unblocked(String by, Instant now) {
        return inForce ? Optional.of(new Block(false, reason, by, next(now), revision + 1)) : Optional.empty();
    }

    /** Returns the block after a rule decided to contain the agent, or to contain it again. */
    public Block contained(String why, Containment by, Instant now) {
        return new Block(true, why, Instant.MAX, by.actor(), next(now), revision + 1, by);
    }

    /** Returns the block after a trial call began or ended, which is no decision. */
    public Block with(Containment changed) {
        return new Block(inForce, reason, until, actor, at, revision, changed);
    }

    /** Returns the limit that wrote the block; empty if a person or a rule decided. */
    public Optional<LimitReason> limit() {
        return actor.equals(PendingDrain.REGISTRY) ? LimitReason.of(reason) : Optional.empty();
    }

    /** Returns the time until the block ends by itself, from 0 to one day. */
    public Duration remaining(Instant now) {
        Instant latest = now.plus(MAX_WAIT);
        Instant end = until.isBefore(latest) ? until : latest;
        return end.isAfter(now) ? Duration.between(now, end) : Duration.ZERO;
    }

    /** Returns whether the last decision is that of a person to unblock. */
    public boolean isUnblockedByPerson() {
        return !inForce && !hasEnd() && Containment.isPerson(actor);
    }

    /** Returns the block at this moment. It is not in force if its end has passed. */
    public Block asOf(Instant now) {
        return isOver(now) ? new Block(false, reason, until, actor, at, revision) : this;
    }

    /** Returns the block after recording its end; empty if the end has not passed or is recorded already. */
    public Optional<Block> ended(Instant now) {
        return isOver(now)
                ? Optional.of(new Block(false, reason, until, actor, next(now), revision + 1))
                : Optional.empty();
    }

    private boolean isOver(Instant now) {
        return inForce && !now.isBefore(until);
    }

    /**
     * Returns the time of the next decision. It is always later than the last one, even if this server's clock is behind, as subscribers order
     * events by time.
     */
    private Instant next(Instant now) {
        return now.isBefore(at) ? at : now;
    }

    /** Returns the end of the block as written to the agent's row; {@link Instant#EPOCH} if the agent is not blocked. */
    public Instant noted() {
        Instant end = until.isAfter(MAX_END) ? MAX_END : until;
        return inForce ? end : Instant.EPOCH;
    }

    /** Returns whether the block ends by itself. */
    public boolean hasEnd() {
        return until.isBefore(Instant.MAX);
    }
}
