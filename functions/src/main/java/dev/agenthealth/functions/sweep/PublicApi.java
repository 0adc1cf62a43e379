package dev.agenthealth.functions.sweep;

/** The public API, through which the canaries of the self-check send heartbeats as agents do. */
@FunctionalInterface
interface PublicApi {

    /**
     * Sends one heartbeat.
     *
     * @return whether it was acknowledged; {@code false} also after a time-out
     */
    boolean sendHeartbeat(String agentId, String apiKey);
}
