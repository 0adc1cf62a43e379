package dev.agenthealth.emulator.sqs;

/** What became of the wish to hide a message for a while that was received. */
enum Hiding {
    HIDDEN,
    /** Its visibility timeout was over. */
    NOT_IN_FLIGHT,
    /** It is gone, or somebody else has received it since. */
    UNKNOWN
}
