package dev.agenthealth.emulator.http;

/** Answers requests. Called by many threads at a time; may block. */
@FunctionalInterface
public interface Endpoint {

    /** Answers a request; an exception becomes status 500 and a line in the log. */
    RawResponse answer(RawRequest request);
}
