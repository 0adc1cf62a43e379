package dev.agenthealth.functions.storage.pings;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.time.Instant;

/**
 * The ping address of an agent.
 *
 * @param secret the hash of the secret part of its token
 * @param ownerKeyId the key that owned the agent when it was issued
 * @param issuedAt when it was issued
 * @param startedAt when the run under way started; {@link Instant#EPOCH} where none did
 * @param last the last ping
 */
public record PingAddress(KeyHash secret, String ownerKeyId, Instant issuedAt, Instant startedAt, LastPing last) {

    /**
     * A ping.
     *
     * @param at when it came; {@link Instant#EPOCH} where none did
     * @param signal what it said: empty for done, {@code start}, {@code fail} or an exit code
     * @param millis how long the run took that it ended; {@link #NO_DURATION} where that is unknown
     * @param message what it sent, cut to {@link #MAX_MESSAGE_BYTES}; empty for nothing
     * @param cut whether more was sent
     */
    public record LastPing(Instant at, String signal, long millis, String message, boolean cut) {

        /** No ping came. */
        public static final LastPing NONE = new LastPing(Instant.EPOCH, "", LastPing.NO_DURATION, "", false);

        /** The longest message that is kept. */
        public static final int MAX_MESSAGE_BYTES = 10 * 1_024;

        /** The duration of a run whose start is unknown. */
        public static final long NO_DURATION = -1;
    }

    /** Returns the address after a ping. */
    public PingAddress after(LastPing ping, Instant nextStart) {
        return new PingAddress(secret, ownerKeyId, issuedAt, nextStart, ping);
    }

    /** Returns whether the agent still belongs to the key that it belonged to, and that key is not revoked. */
    public boolean isOf(Owner owner) {
        return owner.keyId().equals(ownerKeyId) && !owner.credential().isNone();
    }

    /** Returns whether a run is under way. */
    public boolean isStarted() {
        return startedAt.isAfter(Instant.EPOCH);
    }
}
