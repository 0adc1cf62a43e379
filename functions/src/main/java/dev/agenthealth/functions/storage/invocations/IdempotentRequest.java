package dev.agenthealth.functions.storage.invocations;

/**
 * The identity of a retried request for an invocation. It reveals nothing of the caller's content.
 *
 * @param place hash of the caller, the agent, the route and the caller's idempotency key; empty if the request has no key
 * @param fingerprint hash of the request's content
 */
public record IdempotentRequest(String place, String fingerprint) {

    /** A request without an idempotency key: every retry is a new request. */
    public static final IdempotentRequest NONE = new IdempotentRequest("", "");

    public boolean isNone() {
        return place.isEmpty();
    }
}
