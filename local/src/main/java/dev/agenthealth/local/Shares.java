package dev.agenthealth.local;

import dev.agenthealth.emulator.http.Share;
import dev.agenthealth.template.FunctionDefinition;
import java.util.regex.Pattern;

/** The share of each function in the requests in progress, so that heartbeats are received under any other load. */
final class Shares {

    /** Sends a message while its request waits. */
    private static final String NOTIFICATION_TEST = "POST /v1/admin/notifications/{name}/test";

    /** The routes of agent cards. A route that leads to the gateway may wait for the agent's own card. */
    private static final Pattern CARDS = Pattern.compile(".*/[.]well-known/agent(-card)?[.]json");

    private Shares() {}

    /** Returns the share of the requests of a function's route. */
    static Share of(FunctionDefinition function, String routeKey) {
        String name = function.logicalId();
        if (routeKey.equals(NOTIFICATION_TEST)) {
            return new Share(routeKey, 8, 64, true);
        }
        if (CARDS.matcher(routeKey).matches()) {
            return new Share("agent cards", 32, 1_024, true);
        }
        return switch (name) {
            // Many concurrent heartbeats share a commit.
            case "HeartbeatFunction" -> new Share(name, 64, 4_096);
            // These requests wait for agents, without a processor.
            case "GatewayFunction" -> new Share(name, 512, 256, true);
            // Each request uses a processor, and memory for spans.
            case "TelemetryFunction" -> new Share(name, 2, 64);
            default -> new Share(name, 64, 1_024);
        };
    }
}
