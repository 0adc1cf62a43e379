package dev.agenthealth.emulator.http;

/** Answers requests. Many threads call it at the same time; it may block. */
@FunctionalInterface
public interface Endpoint {

    /** Answers a request. An exception becomes status 500 and a line in the log. */
    RawResponse answer(RawRequest request);

    /**
     * Returns the share of the server that a request belongs to.
     *
     * @param head the request without its body
     */
    default Share share(RawRequest head) {
        return Share.COMMON;
    }

    /**
     * Returns the answer to a request that the server itself refuses, by default a problem document.
     *
     * @param head the request without its body
     * @param error a code of the API's description
     */
    default RawResponse refusal(RawRequest head, int status, String error, String detail) {
        return RawResponse.problem(status, error, detail);
    }

    /**
     * Returns true if the answer needs only the first {@link ReceivedBody#SMALL_BYTES} of the body. The rest is received and dropped, and
     * no body is too large.
     *
     * @param head the request without its body
     */
    default boolean needsOnlyStart(RawRequest head) {
        return false;
    }

    /**
     * Returns true if the key of a request is valid. A request without a valid key may not send a large body. May block.
     *
     * @param head the request without its body
     */
    default boolean hasValidKey(RawRequest head) {
        return true;
    }
}
