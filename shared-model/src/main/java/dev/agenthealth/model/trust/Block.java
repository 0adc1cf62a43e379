package dev.agenthealth.model.trust;

import java.time.Instant;

/**
 * What operators decided last about calling an agent or a provider (ServiceNet, Blocking and unblocking).
 *
 * @param inForce whether no call may be made
 * @param reason why, in the operator's words, for operators only; empty where the block is not in force
 * @param actor id of the key that decided it; empty where nobody ever did
 * @param at when it was decided
 * @param revision how many decisions there were; 0 where there was none
 */
public record Block(boolean inForce, String reason, String actor, Instant at, long revision) {

    /** Nobody ever decided anything. */
    public static final Block NONE = new Block(false, "", "", Instant.EPOCH, 0);
}
