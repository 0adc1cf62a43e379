package dev.agenthealth.functions.gateway;

import java.time.Duration;

/** The queue of asynchronous invocations. Thread-safe. */
interface InvocationQueue {

    /**
     * Sends an invocation to the queue, which delivers it at least once.
     *
     * @throws RuntimeException if it may not have been sent
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
