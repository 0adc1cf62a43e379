package dev.agenthealth.model.lease;

import java.util.Locale;

/** Why a lease is no longer in force. */
public enum LeaseReason {
    /** It is in force, or was given back by its holder. */
    NONE,
    /** Its time ran out. */
    TIMEOUT,
    /** Its holder died (RFC-0016 §9.1). */
    AGENT_DEAD,
    /** Its holder was deregistered. */
    AGENT_DEREGISTERED,
    /** A coordinator took it away. */
    REVOKED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word used in responses and events; not shown for {@link #NONE}. */
    public String word() {
        return word;
    }
}
