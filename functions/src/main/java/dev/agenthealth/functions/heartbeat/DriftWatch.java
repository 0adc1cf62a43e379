package dev.agenthealth.functions.heartbeat;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.HeartbeatRule;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Warns about agents whose clock is far off (RFC-0016 §4.5): a log line and a metric each time, an event at most once an hour an
 * agent. Never decides anything. Thread-safe.
 */
final class DriftWatch {

    private static final Duration EVENT_INTERVAL = Duration.ofHours(1);

    private final AgentStore agents;
    private final Log log;

    DriftWatch(AgentStore agents, Log log) {
        this.agents = agents;
        this.log = log;
    }

    /** Looks at the clock of one heartbeat. */
    void look(Pulse pulse, Heartbeat heartbeat, Instant now) {
        if (!HeartbeatRule.isDrifting(heartbeat, pulse.config(), now)) {
            return;
        }
        Duration drift = HeartbeatRule.drift(heartbeat, now);
        log.warn("clock_drift", Map.of("agent_id", pulse.agentId(), "drift_seconds", drift.toSeconds()));
        log.metric(Metric.CLOCK_DRIFTS, 1);
        if (!pulse.status().isGone() && now.isAfter(pulse.driftReportedAt().plus(EVENT_INTERVAL))) {
            tell(pulse, drift, now);
        }
    }

    private void tell(Pulse pulse, Duration drift, Instant now) {
        Pulse counted = pulse.withDriftReported(now);
        try {
            if (!agents.appendDriftEvent(counted, AgentEvents.clockDrift(counted, drift, now))) {
                log.info("clock_drift_event_postponed", Map.of("agent_id", pulse.agentId()));
            }
        } catch (StorageBusyException e) {
            // The heartbeat itself was counted and must be acknowledged; the next one tries the event again.
            log.failure("clock_drift_event_postponed", pulse.agentId(), e);
        }
    }
}
