package dev.agenthealth.emulator.sqs;

/** The result of changing the visibility of a message. */
enum Hiding {
    HIDDEN,
    /** The message's visibility timeout has ended. */
    NOT_IN_FLIGHT,
    /** The message was deleted, or received again since. */
    UNKNOWN
}
