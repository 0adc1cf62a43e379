package dev.agenthealth.model.identity;

import java.util.Set;

/**
 * The author of a change, and the request for it.
 *
 * @param caller the sender of the request
 * @param address the sender's address; empty if unknown
 * @param requestId the id of the request; empty without an id
 */
public record Author(Caller caller, String address, String requestId) {

    /** The sender of a request with an invalid key or token. */
    public static final Caller UNKNOWN = Caller.ofKey("unknown", "", Role.VIEWER, Set.of(), KeyHash.NONE);

    /** Returns the id of the caller's key. */
    public String id() {
        return caller.keyId();
    }

    /** Returns whether the sender is known. */
    public boolean isKnown() {
        return !caller.equals(UNKNOWN);
    }
}
