package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The way into the registry that a test can close: open, it leads to the function that takes heartbeats. Thread-safe. */
final class TestPublicApi implements PublicApi {

    private final TestSystem system;
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private volatile PublicApi behind = this::open;

    TestPublicApi(TestSystem system) {
        this.system = system;
    }

    /** Heartbeats get through. */
    void hear() {
        behind = this::open;
    }

    /** Nothing gets through. */
    void goDeaf() {
        behind = (agentId, apiKey) -> false;
    }

    /** Heartbeats meet {@code other}, which may hand them on to {@link #open}. */
    void lead(PublicApi other) {
        behind = other;
    }

    /** Hands a heartbeat on to the function that takes heartbeats. */
    boolean open(String agentId, String apiKey) {
        return system.api()
                        .post("/api/v1/agents/" + agentId + "/heartbeat")
                        .key(apiKey)
                        .body(TestAgent.BEAT.formatted(system.clock().instant()))
                        .send()
                        .status()
                == 200;
    }

    /** The canaries that beat since this was last asked, each as often as it did. */
    List<String> asked() {
        synchronized (asked) {
            List<String> copy = List.copyOf(asked);
            asked.clear();
            return copy;
        }
    }

    @Override
    public boolean sendHeartbeat(String agentId, String apiKey) {
        asked.add(agentId);
        return behind.sendHeartbeat(agentId, apiKey);
    }
}
