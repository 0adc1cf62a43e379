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

    /** Whether the key of a request is valid, without which no large body is received. May block. @param head without its body */
    default boolean hasValidKey(RawRequest head) {
        return true;
    }
}
