package dev.agenthealth.emulator.eventbridge;

/** The result of one entry: accepted, or refused for a reason that a retry does not change. */
sealed interface PutResult {

    record Accepted(String eventId) implements PutResult {}

    record Refused(String errorCode, String errorMessage) implements PutResult {}
}
