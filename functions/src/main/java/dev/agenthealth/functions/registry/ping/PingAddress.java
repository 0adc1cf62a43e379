package dev.agenthealth.functions.registry.ping;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.time.Instant;
import java.util.Optional;

/**
 * The ping address of an agent: a token of its owner, a token of an administrator, and the last ping with either token. A token ends with
 * the key that issued it.
 *
 * @param ownerKeyId the key that owned the agent when the first token was issued
 * @param ofOwner the token that the owner issued; {@link Token#NONE} for none
 * @param ofAdministrator the token that an administrator issued who does not own the agent; {@link Token#NONE} for none
 * @param startedAt when the current run started; {@link Instant#EPOCH} if no run is under way
 * @param last the last ping
 */
public record PingAddress(String ownerKeyId, Token ofOwner, Token ofAdministrator, Instant startedAt, LastPing last) {

    /** Returns the address of an agent without tokens. */
    public static PingAddress none(String ownerKeyId) {
        return new PingAddress(ownerKeyId, Token.NONE, Token.NONE, Instant.EPOCH, LastPing.NONE);
    }

    /**
     * A token of a ping address.
     *
     * @param secret the hash of its secret part
     * @param issuer the key that issued it, with the hash of the key's secret at that time; the hash is {@link KeyHash#NONE} for a token of
     *     an earlier version
     * @param issuedAt when it was issued
     */
    public record Token(KeyHash secret, Owner issuer, Instant issuedAt) {

        /** No token. */
        public static final Token NONE = new Token(KeyHash.NONE, Owner.NONE, Instant.EPOCH);
    }

    /**
     * A ping.
     *
     * @param at when the ping arrived; {@link Instant#EPOCH} if no ping arrived
     * @param signal the signal: empty for done, {@code start}, {@code fail} or an exit code
     * @param millis the duration of the run that the ping ended, in ms; {@link #NO_DURATION} if it is unknown
     * @param message the body of the ping, cut to {@link #MAX_MESSAGE_BYTES}; empty for no body
     * @param cut whether the body was longer
     */
    public record LastPing(Instant at, String signal, long millis, String message, boolean cut) {

        /** No ping arrived. */
        public static final LastPing NONE = new LastPing(Instant.EPOCH, "", LastPing.NO_DURATION, "", false);

        /** The maximum length of a stored message, in bytes. */
        public static final int MAX_MESSAGE_BYTES = 10 * 1_024;

        /** The duration of a run whose start is unknown. */
        public static final long NO_DURATION = -1;
    }

    /** Returns the address with this token. It replaces the earlier token of the owner, or of an administrator. */
    public PingAddress with(Token token) {
        return token.issuer().keyId().equals(ownerKeyId)
                ? new PingAddress(ownerKeyId, token, ofAdministrator, startedAt, last)
                : new PingAddress(ownerKeyId, ofOwner, token, startedAt, last);
    }

    /** Returns the address after a ping. */
    public PingAddress after(LastPing ping, Instant nextStart) {
        return new PingAddress(ownerKeyId, ofOwner, ofAdministrator, nextStart, ping);
    }

    /** Returns the token with this secret; empty if no token has it. */
    public Optional<Token> token(KeyHash secret) {
        if (secret.isNone()) {
            return Optional.empty();
        }
        return secret.equals(ofOwner.secret())
                ? Optional.of(ofOwner)
                : Optional.of(ofAdministrator).filter(token -> secret.equals(token.secret()));
    }

    /** Returns whether the agent still belongs to the same key, and that key is not revoked. */
    public boolean isOf(Owner owner) {
        return owner.keyId().equals(ownerKeyId) && !owner.credential().isNone();
    }

    /** Returns whether a run is under way. */
    public boolean isStarted() {
        return startedAt.isAfter(Instant.EPOCH);
    }
}
