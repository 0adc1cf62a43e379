package dev.agenthealth.emulator.sqs;

/** The result of changing the visibility of a message. */
enum Hiding {
    HIDDEN,
    /** Its visibility timeout is over. */
    NOT_IN_FLIGHT,
    /** It was deleted, or received again since. */
    UNKNOWN
}
