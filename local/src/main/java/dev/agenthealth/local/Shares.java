package dev.agenthealth.local;

import dev.agenthealth.emulator.http.Share;
import dev.agenthealth.template.FunctionDefinition;

/** The share of each function in the requests that are in progress, so that heartbeats are received whatever else is requested. */
final class Shares {

    private Shares() {}

    /** The share of the requests that lead to a function. */
    static Share of(FunctionDefinition function) {
        String name = function.logicalId();
        return switch (name) {
            // Many at once share a commit.
            case "HeartbeatFunction" -> new Share(name, 64, 4_096);
            // They wait for agents, without a processor.
            case "GatewayFunction" -> new Share(name, 512, 256, true);
            // Each takes a processor, and memory for spans.
            case "TelemetryFunction" -> new Share(name, 2, 64);
            default -> new Share(name, 64, 1_024);
        };
    }
}
