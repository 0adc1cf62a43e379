package dev.agenthealth.functions.gateway;

/** Where invocations wait whose callers do not. Thread-safe. */
@FunctionalInterface
interface InvocationQueue {

    /**
     * Puts an invocation into the queue, from which it is taken at least once.
     *
     * @throws RuntimeException where that is not sure
     */
    void send(String receiptId);
}
