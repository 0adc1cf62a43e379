package dev.agenthealth.functions.runtime.outbound;

import java.time.Duration;

/** The result of one attempt to send a message. Reasons name no secret and no address: operators and logs see them. */
public sealed interface Delivery {

    /** Returns what happened, for the operator; empty where the message was accepted. */
    default String reason() {
        return "";
    }

    /** The target accepted the message. */
    record Delivered() implements Delivery {}

    /**
     * The message may be accepted later.
     *
     * @param after how long the target asks to wait; zero where it does not say
     */
    record Retry(Duration after, String reason) implements Delivery {}

    /** Sending the same message to the same target again is of no use. */
    record Refused(String reason) implements Delivery {}

    /** The receiver wants no more messages (HTTP 410): the target is to be disabled. */
    record Gone(String reason) implements Delivery {}
}
