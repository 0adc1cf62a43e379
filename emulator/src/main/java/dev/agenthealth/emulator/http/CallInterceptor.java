package dev.agenthealth.emulator.http;

import java.util.Optional;

/** Sees every call of AWS before its service does. Thread-safe. */
@FunctionalInterface
public interface CallInterceptor {

    /**
     * Answers a call in place of its service.
     *
     * @return the answer; empty to let the service answer
     */
    Optional<RawResponse> intercept(String operation, RawRequest request);
}
