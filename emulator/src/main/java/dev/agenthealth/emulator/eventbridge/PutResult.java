package dev.agenthealth.emulator.eventbridge;

/** What became of one entry: taken, or refused for a reason that trying again does not change. */
sealed interface PutResult {

    /** The bus has it. */
    record Accepted(String eventId) implements PutResult {}

    /** The bus does not have it. */
    record Refused(String errorCode, String errorMessage) implements PutResult {}
}
