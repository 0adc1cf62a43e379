package dev.agenthealth.functions.sweep;

/** The public API. The canaries of the self-check send heartbeats through it, as agents do. */
@FunctionalInterface
interface PublicApi {

    /** Sends one heartbeat. */
    Answer sendHeartbeat(String agentId, String apiKey);

    /**
     * Tries to register with a key that was never issued. The self-check only asks whether the API answers the request. Returns {@link
     * Answer#ACKNOWLEDGED} for an address without registrations.
     */
    default Answer sendRegistration(String unknownKey) {
        return Answer.ACKNOWLEDGED;
    }

    /** The answer of the address. */
    enum Answer {
        ACKNOWLEDGED,
        /** A limit refused the request (429). */
        THROTTLED,
        /** The address refused the request for another reason, or did not answer in time. */
        FAILED
    }
}
