package dev.agenthealth.model.identity;

import java.util.Set;

/**
 * Who makes a change, and by which request.
 *
 * @param caller who sent the request
 * @param address from which address; empty if it is unknown
 * @param requestId the request's id; empty if it has none
 */
public record Author(Caller caller, String address, String requestId) {

    /** Stands for the sender of a request whose key or token is not valid. */
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
