package dev.agenthealth.emulator.http;

/** Answers requests. Called by many threads at a time; may block. */
@FunctionalInterface
public interface Endpoint {

    /** Answers a request; an exception becomes status 500 and a line in the log. */
    RawResponse answer(RawRequest request);

    /** The share of the server that a request belongs to. @param head without its body */
    default Share share(RawRequest head) {
        return Share.COMMON;
    }

    /**
     * Returns the answer to a request that the server itself refuses: by default a problem document.
     *
     * @param head without its body
     * @param error a code of the API's description
     */
    default RawResponse refusal(RawRequest head, int status, String error, String detail) {
        return RawResponse.problem(status, error, detail);
    }

    /**
     * Returns whether a request is answered whatever its body is, of which only the first {@link ReceivedBody#SMALL_BYTES} are needed. The rest is
     * received and dropped, and no body is too large.
     *
     * @param head without its body
     */
    default boolean needsOnlyStart(RawRequest head) {
        return false;
    }

    /** Returns true where the key of a request is valid; others may not send a large body. May block. @param head without its body */
    default boolean hasValidKey(RawRequest head) {
        return true;
    }
}
