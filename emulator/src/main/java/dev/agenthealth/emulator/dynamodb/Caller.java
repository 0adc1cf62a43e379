package dev.agenthealth.emulator.dynamodb;

import dev.agenthealth.template.FunctionDefinition;

/** Who waits for what a function does. */
public enum Caller {
    /** Agents that send heartbeats. */
    AGENTS,
    /** Clients that send other requests. */
    CLIENTS,
    /** No caller: the function works in the background. */
    NONE;

    private static final String HEARTBEAT_FUNCTION = "HeartbeatFunction";

    /** The caller of a function of the template. */
    public static Caller of(FunctionDefinition function) {
        if (function.logicalId().equals(HEARTBEAT_FUNCTION)) {
            return AGENTS;
        }
        return function.routes().isEmpty() ? NONE : CLIENTS;
    }
}
