package dev.agenthealth.functions.runtime.outbound;

import java.time.Duration;

/** The result of one attempt to send a message. Reasons name no secret and no address, because operators and logs see them. */
public sealed interface Delivery {

    /** Returns the reason for the operator; empty if the target accepted the message. */
    default String reason() {
        return "";
    }

    /** The target accepted the message. */
    record Delivered() implements Delivery {}

    /**
     * The target may accept the message later.
     *
     * @param after the time that the target asks to wait; zero if it names none
     */
    record Retry(Duration after, String reason) implements Delivery {}

    /** The target will never accept this message. */
    record Refused(String reason) implements Delivery {}

    /** The receiver wants no more messages (HTTP 410); the sender disables the target. */
    record Gone(String reason) implements Delivery {}
}
