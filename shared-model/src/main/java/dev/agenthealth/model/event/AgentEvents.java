package dev.agenthealth.model.event;

import dev.agenthealth.model.lifecycle.Drain;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The events of an agent's changes (RFC-0016 §2.3, §4.5, §5.2). */
public final class AgentEvents {

    private AgentEvents() {}

    /**
     * The events of a change of status, in the order of their sequence numbers: the lifecycle event, and before it the warning
     * of a drain that ran out with work left.
     *
     * @param roleId the agent's role; empty for none
     * @param capabilities its capabilities, so that subscribers recognize a coordinator's death (RFC-0016 §10.2)
     */
    public static List<Event> of(Transition transition, String roleId, List<String> capabilities) {
        List<Event> events = new ArrayList<>(2);
        if (transition.isDrainTimeout()) {
            events.add(drainTimeout(transition, roleId));
        }
        events.add(lifecycle(transition, transition.before().status(), roleId, capabilities));
        return events;
    }

    /** The event of an id's first registration: from registering to active (RFC-0016 §2.2). */
    public static Event registered(Transition transition, String roleId, List<String> capabilities) {
        return lifecycle(transition, LifecycleStatus.REGISTERING, roleId, capabilities);
    }

    /**
     * The event of a clock that is far off.
     *
     * @param pulse the agent, with the event already counted in its sequence
     * @param drift positive where the agent's clock is ahead
     */
    public static Event clockDrift(Pulse pulse, Duration drift, Instant now) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", EventType.AGENT_CLOCK_DRIFT.wireName());
        detail.put("agent_id", pulse.agentId());
        detail.put("drift_ms", millis(drift));
        detail.put("interval_seconds", (long) pulse.config().intervalSeconds());
        detail.put("severity", "warning");
        detail.put("timestamp", now.toString());
        return event(EventType.AGENT_CLOCK_DRIFT, pulse, pulse.sequence(), now, detail);
    }

    /** Milliseconds of a drift; the largest or smallest long where it does not fit. */
    private static long millis(Duration drift) {
        if (drift.abs().compareTo(Duration.ofMillis(Long.MAX_VALUE)) < 0) {
            return drift.toMillis();
        }
        return drift.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    private static Event drainTimeout(Transition transition, String roleId) {
        Pulse before = transition.before();
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", EventType.AGENT_DRAIN_TIMEOUT.wireName());
        detail.put("agent_id", before.agentId());
        if (!roleId.isEmpty()) {
            detail.put("role_id", roleId);
        }
        detail.put("current_load", (long) Math.max(before.workload().load(), 0));
        detail.put("drain_timeout_seconds", before.drain().timeout().toSeconds());
        putDrain(detail, transition);
        detail.put("severity", "warning");
        detail.put("deadline_at", transition.dueAt().toString());
        detail.put("timestamp", transition.detectedAt().toString());
        return event(
                EventType.AGENT_DRAIN_TIMEOUT,
                transition.after(),
                transition.after().sequence() - 1,
                transition.detectedAt(),
                detail);
    }

    private static Event lifecycle(
            Transition transition, LifecycleStatus previous, String roleId, List<String> capabilities) {
        Pulse after = transition.after();
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", EventType.AGENT_LIFECYCLE.wireName());
        detail.put("agent_id", after.agentId());
        detail.put("previous_status", previous.wireName());
        detail.put("new_status", after.status().wireName());
        detail.put("reason", transition.reason().wireName());
        detail.put("timestamp", transition.detectedAt().toString());
        if (!roleId.isEmpty()) {
            detail.put("role_id", roleId);
        }
        detail.put("capabilities", List.copyOf(capabilities));
        putDrain(detail, transition);
        if (transition.isWarning()) {
            detail.put("severity", "warning");
        }
        if (transition.dueAt().isBefore(transition.detectedAt())) {
            detail.put("deadline_at", transition.dueAt().toString());
        }
        detail.put("detected_at", transition.detectedAt().toString());
        return event(EventType.AGENT_LIFECYCLE, after, after.sequence(), transition.detectedAt(), detail);
    }

    /** Puts the reason and the requester of a drain, where the change begins or ends one. */
    private static void putDrain(Map<String, Object> detail, Transition transition) {
        Drain drain = transition.drain();
        if (!drain.reason().isEmpty()) {
            detail.put("drain_reason", drain.reason());
        }
        if (!drain.requestedBy().isEmpty()) {
            detail.put("requested_by", drain.requestedBy());
        }
    }

    private static Event event(EventType type, Pulse pulse, long sequence, Instant at, Map<String, Object> detail) {
        String eventId = "agent:" + pulse.agentId() + ":" + sequence;
        detail.put("event_id", eventId);
        detail.put("incarnation", pulse.incarnation());
        detail.put("sequence", sequence);
        return new Event(eventId, type, pulse.agentId(), sequence, at, detail);
    }
}
