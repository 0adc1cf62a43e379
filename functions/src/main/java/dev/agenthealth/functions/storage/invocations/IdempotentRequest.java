package dev.agenthealth.functions.storage.invocations;

/**
 * A request for an invocation as it is recognised when it comes again. Nothing of what the caller sent can be read from it.
 *
 * @param place hash of who asks, of whom and how, and of the caller's own key for the request; empty where it is not to be recognised
 * @param fingerprint hash of what is asked for
 */
public record IdempotentRequest(String place, String fingerprint) {

    /** A request that is a new one each time it comes. */
    public static final IdempotentRequest NONE = new IdempotentRequest("", "");

    /** Whether it is a new one each time it comes. */
    public boolean isNone() {
        return place.isEmpty();
    }
}
