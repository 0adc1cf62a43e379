package dev.agenthealth.functions.sweep;

/** The public way into the registry, by which the sweep's canaries beat like any agent. */
@FunctionalInterface
interface PublicApi {

    /**
     * Sends one heartbeat.
     *
     * @return whether it was acknowledged; {@code false} also where nothing answered in time
     */
    boolean beat(String agentId, String apiKey);
}
