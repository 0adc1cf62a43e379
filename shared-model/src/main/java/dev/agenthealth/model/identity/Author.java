package dev.agenthealth.model.identity;

/**
 * Who makes a change, and by which request.
 *
 * @param caller who sent the request
 * @param address from which address; empty where it is unknown
 * @param requestId the request's id; empty where it has none
 */
public record Author(Caller caller, String address, String requestId) {

    /** The id of the caller's key. */
    public String id() {
        return caller.keyId();
    }
}
