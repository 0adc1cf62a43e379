package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import dev.agenthealth.model.registry.lifecycle.InstanceRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;

/** Decides when a new instance may replace a live agent that runs as another instance. Thread-safe. */
final class InstanceTakeOver {

    private final SweepStateStore sweep;
    private final HeartbeatSchedule schedule;

    /** @param schedule the intervals of heartbeats that the deployment asks for */
    InstanceTakeOver(SweepStateStore sweep, HeartbeatSchedule schedule) {
        this.sweep = sweep;
        this.schedule = schedule;
    }

    /**
     * Returns whether the write depends on the last heartbeat of a process that may run elsewhere.
     *
     * @param previous the live agent, with a profile
     * @throws ApiError 409 if that process still sends heartbeats
     */
    boolean restsOnHeartbeats(RegistrationRequest request, StoredAgent previous) {
        Pulse live = previous.pulse();
        String running = previous.profile().history().instance();
        String registering = request.profile().history().instance();
        if (!InstanceRule.needsSilence(live, running, registering)) {
            // Between the read and the write, that process may send a heartbeat.
            return InstanceRule.mayRunElsewhere(live, running, registering);
        }
        Instant from = sweep.current().silenceFrom(request.now());
        if (!InstanceRule.isSilent(live, schedule, from, request.now())) {
            String heardAt = Timestamps.text(live.lastHeartbeatAt());
            throw ApiError.passingConflict(
                            "agent_already_running",
                            "Agent '" + live.agentId() + "' runs as instance '" + running
                                    + "', whose last heartbeat came at "
                                    + heardAt
                                    + ". Another instance takes over as soon as that one is deregistered or has"
                                    + " been silent for two intervals of its heartbeats.",
                            InstanceRule.retryAfter(live, schedule, from, request.now()))
                    .with("running_instance", running)
                    .with("last_heartbeat_at", heardAt);
        }
        return true;
    }
}
