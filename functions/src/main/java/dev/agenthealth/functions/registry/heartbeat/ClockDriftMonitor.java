package dev.agenthealth.functions.registry.heartbeat;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.agents.FindingStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Reports agents whose clocks drift (RFC-0016 §4.5): a log line and a metric for each heartbeat, and at most one event per agent and hour.
 * Thread-safe.
 */
final class ClockDriftMonitor {

    private static final Duration EVENT_INTERVAL = Duration.ofHours(1);

    private final FindingStore findings;
    private final Log log;

    ClockDriftMonitor(FindingStore findings, Log log) {
        this.findings = findings;
        this.log = log;
    }

    /** Checks the client's time in a heartbeat. */
    void check(Pulse pulse, Heartbeat heartbeat, Instant now) {
        if (!HeartbeatRule.isDrifting(heartbeat, pulse.config(), now)) {
            return;
        }
        Duration drift = HeartbeatRule.drift(heartbeat, now);
        log.warn(
                "clock_drift",
                Map.of(
                        "agent_id",
                        pulse.agentId(),
                        "drift_seconds",
                        drift.plusMillis(500).toSeconds()));
        log.metric(Metric.CLOCK_DRIFTS, 1);
        if (!pulse.status().hasEnded() && ClockRule.hasPassed(pulse.driftReportedAt(), EVENT_INTERVAL, now)) {
            publish(pulse, drift, now);
        }
    }

    private void publish(Pulse pulse, Duration drift, Instant now) {
        Pulse counted = pulse.withDriftReported(now);
        try {
            if (!findings.appendDriftEvent(counted, AgentEvents.clockDrift(counted, drift, now))) {
                log.info("clock_drift_event_postponed", Map.of("agent_id", pulse.agentId()));
            }
        } catch (StorageBusyException e) {
            // The heartbeat is stored and must be acknowledged. The next heartbeat retries the event.
            log.failure("clock_drift_event_postponed", pulse.agentId(), e);
        }
    }
}
