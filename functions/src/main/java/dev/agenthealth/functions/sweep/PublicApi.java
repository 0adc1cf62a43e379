package dev.agenthealth.functions.sweep;

/** The public API, through which the canaries of the self-check send heartbeats as agents do. */
@FunctionalInterface
interface PublicApi {

    /** Sends one heartbeat. */
    Answer sendHeartbeat(String agentId, String apiKey);

    /** The answer of the address. */
    enum Answer {
        ACKNOWLEDGED,
        /** Refused by a limit (429). */
        THROTTLED,
        /** Refused for another reason, or not answered in time. */
        FAILED
    }
}
