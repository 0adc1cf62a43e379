package dev.agenthealth.local;

import dev.agenthealth.emulator.http.Share;
import dev.agenthealth.template.FunctionDefinition;
import java.util.regex.Pattern;

/** The share of each function in the requests in progress, so that heartbeats are received under any other load. */
final class Shares {

    /** Sends a message while its request waits. */
    private static final String NOTIFICATION_TEST = "POST /v1/admin/notifications/{name}/test";

    /** Waits for the threads of its heartbeats, which may wait for the disk. */
    private static final String HEARTBEAT_BATCH = "POST /api/v1/heartbeats";

    /** The routes of agent cards. A route that leads to the gateway may wait for the agent's own card. */
    private static final Pattern CARDS = Pattern.compile(".*/[.]well-known/agent(-card)?[.]json");

    private Shares() {}

    /** Returns the share of the requests of a function's route. */
    static Share of(FunctionDefinition function, String routeKey) {
        String name = function.logicalId();
        if (routeKey.equals(NOTIFICATION_TEST)) {
            return new Share(routeKey, 8, 64, Share.Kind.WAITING);
        }
        if (routeKey.equals(HEARTBEAT_BATCH)) {
            return new Share(routeKey, 64, 1_024);
        }
        if (CARDS.matcher(routeKey).matches()) {
            return new Share("agent cards", 32, 1_024, Share.Kind.WAITING);
        }
        return switch (name) {
            // Many concurrent heartbeats share a commit. Few of them wait for the disk.
            case "HeartbeatFunction" -> new Share(name, 64, 4_096, Share.Kind.BRIEF);
            // These requests wait for agents, without a processor.
            case "GatewayFunction" -> new Share(name, 512, 256, Share.Kind.WAITING);
            // Each request uses a processor, and memory for spans.
            case "TelemetryFunction" -> new Share(name, 2, 64);
            default -> new Share(name, 64, 1_024);
        };
    }

    /** Returns the share of the requests of a function's route if the tables are on other machines, so that heartbeats wait for them. */
    static Share withRemoteTables(FunctionDefinition function, String routeKey) {
        Share share = of(function, routeKey);
        return share.kind() == Share.Kind.BRIEF
                ? new Share(share.name(), share.maxRunning(), share.maxWaiting())
                : share;
    }
}
