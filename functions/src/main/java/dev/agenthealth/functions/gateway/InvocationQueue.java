package dev.agenthealth.functions.gateway;

import java.time.Duration;

/** Where invocations wait whose callers do not. Thread-safe. */
interface InvocationQueue {

    /**
     * Puts an invocation into the queue, from which it is taken at least once.
     *
     * @throws RuntimeException where that is not sure
     */
    void send(String receiptId);

    /**
     * Lets a message that was delivered come again as soon as a pause is over, provided that it is not acknowledged.
     *
     * @param delivery names the delivery of the message, not the invocation
     * @param pause in whole seconds, from now
     * @throws RuntimeException where that is not sure; then it comes again no later than the queue lets any message come again
     */
    void redeliver(String delivery, Duration pause);
}
