package dev.agenthealth.functions.sweep;

/** The public API, through which the canaries of the self-check send heartbeats as agents do. */
@FunctionalInterface
interface PublicApi {

    /** Sends one heartbeat. */
    Answer sendHeartbeat(String agentId, String apiKey);

    /**
     * Asks for a registration with a key that was never issued, which is refused: whether the request is answered is all that counts. An address without
     * registrations acknowledges it.
     */
    default Answer sendRegistration(String unknownKey) {
        return Answer.ACKNOWLEDGED;
    }

    /** The answer of the address. */
    enum Answer {
        ACKNOWLEDGED,
        /** Refused by a limit (429). */
        THROTTLED,
        /** Refused for another reason, or not answered in time. */
        FAILED
    }
}
