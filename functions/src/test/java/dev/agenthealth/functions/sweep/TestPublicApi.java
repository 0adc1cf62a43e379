package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A public API that a test can make drop heartbeats; otherwise it calls the heartbeat function. Thread-safe. */
final class TestPublicApi implements PublicApi {

    private final TestSystem system;
    private final List<String> canaryIds = Collections.synchronizedList(new ArrayList<>());
    private volatile PublicApi delegate = this::forward;
    private volatile Answer registrations = Answer.ACKNOWLEDGED;

    TestPublicApi(TestSystem system) {
        this.system = system;
    }

    /** From now on heartbeats reach the heartbeat function. */
    void acceptHeartbeats() {
        delegate = this::forward;
        registrations = Answer.ACKNOWLEDGED;
    }

    /** From now on heartbeats are lost. */
    void dropHeartbeats() {
        delegate = (agentId, apiKey) -> Answer.FAILED;
    }

    /** From now on heartbeats go to {@code other}, which may pass them on to {@link #forward}. */
    void delegateTo(PublicApi other) {
        delegate = other;
    }

    /** From now on registrations get this answer. */
    void answerRegistrations(Answer answer) {
        registrations = answer;
    }

    @Override
    public Answer sendRegistration(String unknownKey) {
        return registrations;
    }

    /** Passes a heartbeat on to the heartbeat function. */
    Answer forward(String agentId, String apiKey) {
        int status = system.api()
                .post("/api/v1/agents/" + agentId + "/heartbeat")
                .key(apiKey)
                .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()))
                .send()
                .status();
        return status == 200 ? Answer.ACKNOWLEDGED : Answer.FAILED;
    }

    /** Returns and clears the canary ids of the heartbeats received since the last call, one entry per heartbeat. */
    List<String> takeCanaryIds() {
        synchronized (canaryIds) {
            List<String> copy = List.copyOf(canaryIds);
            canaryIds.clear();
            return copy;
        }
    }

    @Override
    public Answer sendHeartbeat(String agentId, String apiKey) {
        canaryIds.add(agentId);
        return delegate.sendHeartbeat(agentId, apiKey);
    }
}
