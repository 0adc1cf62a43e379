package dev.agenthealth.model.event;

import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.declaration.DeclarationDifference;
import dev.agenthealth.model.registry.declaration.DeclarationState;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.GhostActivity;
import dev.agenthealth.model.registry.lifecycle.GhostRule;
import dev.agenthealth.model.registry.lifecycle.LastEnd;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LoopChange;
import dev.agenthealth.model.registry.lifecycle.PublishedLoop;
import dev.agenthealth.model.registry.lifecycle.PublishedStall;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RunSchedule;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.lifecycle.UsageChange;
import dev.agenthealth.model.registry.lifecycle.WaitingChange;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The events about an agent's changes (RFC-0016 §2.3, §4.5, §5.2). */
public final class AgentEvents {

    /** The field with the type of the event whose problem a problem was a part of, and outlives. */
    public static final String OUTLIVES = "outlives";

    private AgentEvents() {}

    /**
     * Returns the events of a status change, in the order of their sequence numbers. The lifecycle event comes last, after the warning of a drain
     * that timed out with remaining work.
     *
     * @param roleId the agent's role; empty without a role
     * @param capabilities the agent's capabilities, by which subscribers recognise the death of a coordinator (RFC-0016 §10.2)
     */
    public static List<Event> of(Transition transition, String roleId, List<String> capabilities) {
        return of(transition, roleId, capabilities, ProbeState.NONE);
    }

    /**
     * Returns the events of a status change. For a watched agent that does not answer probes, the lifecycle event says why its probes fail.
     *
     * @param probes the results of the probes; {@link ProbeState#NONE} for an agent that is not watched
     * @see #of(Transition, String, List)
     */
    public static List<Event> of(Transition transition, String roleId, List<String> capabilities, ProbeState probes) {
        List<Event> events = new ArrayList<>(2);
        if (transition.isDrainTimeout()) {
            events.add(drainTimeout(transition, roleId));
        }
        events.add(lifecycle(transition, transition.before().status(), roleId, capabilities, probes));
        return events;
    }

    /** Returns the event of an id's first registration: from registering to active (RFC-0016 §2.2). */
    public static Event registered(Transition transition, String roleId, List<String> capabilities) {
        return lifecycle(transition, LifecycleStatus.REGISTERING, roleId, capabilities, ProbeState.NONE);
    }

    /**
     * Returns the event of a dismissal. An operator does not expect the dead agent to register again.
     *
     * @param counted the agent, with the event already counted in its sequence
     * @param roleId the agent's role; empty without a role
     * @param by the id of the operator's key
     * @param note the reason; empty if the operator gave none
     */
    public static Event dismissed(Pulse counted, String roleId, String by, String note, Instant now) {
        return new EventDetail(EventType.AGENT_DISMISSED)
                .with("agent_id", counted.agentId())
                .withText("role_id", roleId)
                .with("dead_since", counted.statusSince())
                .with("dismissed_by", by)
                .withText("note", note)
                .with("timestamp", now)
                .ofAgent(counted.agentId(), counted.incarnation(), counted.sequence(), now);
    }

    /**
     * Returns the event of a failed run, or of the first success after it.
     *
     * @param counted the agent, with the event already counted in its sequence
     * @param roleId the agent's role; empty without a role
     * @param exitCode the exit code of the run; empty if the ping has none
     */
    public static Event run(Pulse counted, String roleId, RunResult result, String exitCode, Instant now) {
        return run(counted, roleId, result, exitCode, "", now);
    }

    /**
     * Returns the event of a failed run that outlives the problem of the model provider that it was a part of.
     *
     * @param counted the agent, with the event already counted in its sequence
     * @param roleId the agent's role; empty without a role
     */
    public static Event runOutlives(Pulse counted, String roleId, Instant now) {
        return run(counted, roleId, RunResult.FAILED, "", outlived(true), now);
    }

    private static Event run(
            Pulse counted, String roleId, RunResult result, String exitCode, String outlived, Instant now) {
        return new EventDetail(result.isFailure() ? EventType.AGENT_RUN_FAILED : EventType.AGENT_RUN_RECOVERED)
                .with("agent_id", counted.agentId())
                .withText("role_id", roleId)
                .with("result", result.wireName())
                .withText("exit_code", exitCode)
                .withText(OUTLIVES, outlived)
                .with("timestamp", now)
                .ofAgent(counted.agentId(), counted.incarnation(), counted.sequence(), now);
    }

    /** Returns the type of the event whose problem a problem outlives; empty if it outlives none. */
    private static String outlived(boolean outlives) {
        return outlives ? EventType.UPSTREAM_FAILING.wireName() : "";
    }

    /**
     * Returns the event of a clock drift.
     *
     * @param pulse the agent, with the event already counted in its sequence
     * @param drift the drift, positive if the agent's clock is ahead
     */
    public static Event clockDrift(Pulse pulse, Duration drift, Instant now) {
        return new EventDetail(EventType.AGENT_CLOCK_DRIFT)
                .with("agent_id", pulse.agentId())
                .with("drift_ms", millis(drift))
                .with("interval_seconds", (long) pulse.config().intervalSeconds())
                .with("timestamp", now)
                .ofAgent(pulse.agentId(), pulse.incarnation(), pulse.sequence(), now);
    }

    /**
     * Returns the event of an expiring certificate.
     *
     * @param counted the agent, with the event already counted in its sequence
     * @param roleId the agent's role; empty without a role
     * @param probes the state after the probe that saw the certificate
     */
    public static Event certificateExpiring(Pulse counted, String roleId, ProbeState probes) {
        return new EventDetail(
                        EventType.AGENT_CERTIFICATE_EXPIRING,
                        EventSeverity.ofCertificate(probes.warning().isUrgent()))
                .with("agent_id", counted.agentId())
                .withText("role_id", roleId)
                .with("certificate_ends_at", probes.certificateEnds())
                .with("days_before_end", (long) probes.warning().days())
                .with("timestamp", probes.at())
                .ofAgent(counted.agentId(), counted.incarnation(), counted.sequence(), probes.at());
    }

    /**
     * Returns the event of a change between the declaration and the accepted one. Its lists are empty if both are equal again.
     *
     * @param counted the agent, with the event already counted in its sequence
     * @param roleId the agent's role; empty without a role
     * @param now the moment at which the registry detected the change, or an operator accepted the declaration
     */
    public static Event declarationChanged(
            Pulse counted, String roleId, DeclarationState before, DeclarationState after, Instant now) {
        DeclarationDifference difference = after.difference();
        return new EventDetail(EventType.AGENT_DECLARATION_CHANGED, EventSeverity.ofDeclaration(after.isChanged()))
                .with("agent_id", counted.agentId())
                .withText("role_id", roleId)
                .with("of", (after.isChanged() ? after : before).changeOf().wireName())
                .with("added", difference.added())
                .with("removed", difference.removed())
                .with("altered", difference.altered())
                .with("digest", after.present().digest())
                .with("accepted_digest", after.accepted().digest())
                .with("detected_at", after.observedAt())
                .with("timestamp", now)
                .ofAgent(counted.agentId(), counted.incarnation(), counted.sequence(), now);
    }

    /** Returns the event of a stall that begins, gets worse or ends. */
    public static Event of(StallChange change, String roleId) {
        return change.isOver() ? stallOver(change, roleId) : stalled(change, roleId);
    }

    private static Event stalled(StallChange change, String roleId) {
        Pulse pulse = change.after();
        PublishedStall stall = pulse.stall();
        Instant lastProgressAt = pulse.activity().lastProgressAt();
        EventDetail detail = stall(
                        new EventDetail(EventType.AGENT_STALLED, EventSeverity.of(stall.level())),
                        change,
                        roleId,
                        stall)
                .with("last_progress_at", lastProgressAt)
                .with("no_progress_seconds", secondsBetween(lastProgressAt, pulse.lastHeartbeatAt()))
                .with("stall_after_seconds", secondsBetween(lastProgressAt, stall.since()))
                .withText(OUTLIVES, outlived(change.before().stall().shared() && !stall.shared()));
        return event(detail, change);
    }

    private static Event stallOver(StallChange change, String roleId) {
        PublishedStall stall = change.before().stall();
        EventDetail detail = stall(new EventDetail(EventType.AGENT_STALL_OVER), change, roleId, stall)
                .with("stalled_seconds", secondsBetween(stall.since(), change.at()));
        return event(detail, change);
    }

    private static EventDetail stall(EventDetail detail, StallChange change, String roleId, PublishedStall stall) {
        return detail.with("agent_id", change.after().agentId())
                .withText("role_id", roleId)
                .with("phase", stall.phase().wireName())
                .with("reason", change.reason().wireName())
                .with("stalled_since", stall.since());
    }

    private static Event event(EventDetail detail, StallChange change) {
        return event(detail, change.after(), change.at());
    }

    private static Event event(EventDetail detail, Pulse counted, Instant at) {
        return detail.with("timestamp", at).ofAgent(counted.agentId(), counted.incarnation(), counted.sequence(), at);
    }

    /**
     * Returns the event of activity of an agent that is gone, superseded, blocked or stopped, or of its end.
     *
     * @param counted the agent, with the event already counted in its sequence
     * @param over whether the activity is over
     */
    public static Event activeWhileGone(
            Pulse counted, String roleId, GhostActivity activity, boolean over, Instant now) {
        EventDetail detail = over
                ? new EventDetail(EventType.AGENT_ACTIVE_WHILE_GONE_OVER)
                : new EventDetail(
                        EventType.AGENT_ACTIVE_WHILE_GONE, EventSeverity.ofGhost(GhostRule.isError(activity)));
        detail.with("agent_id", counted.agentId())
                .withText("role_id", roleId)
                .with("of", activity.last().source().wireName())
                .with("state", activity.last().state().wireName())
                .with("active_incarnation", activity.last().incarnation())
                .withText("instance", activity.last().instance())
                .withText("address", activity.last().address())
                .with("since", activity.since())
                .with("last_at", activity.last().at())
                .with("count", activity.count());
        return event(detail, counted, now);
    }

    /** Returns the event of a loop that begins, gets worse or ends. */
    public static Event of(LoopChange change, String roleId) {
        PublishedLoop loop =
                change.isOver() ? change.before().loop() : change.after().loop();
        EventDetail detail = change.isOver()
                ? new EventDetail(EventType.AGENT_LOOPING_OVER)
                : new EventDetail(EventType.AGENT_LOOPING, EventSeverity.of(loop.level()));
        detail.with("agent_id", change.after().agentId())
                .withText("role_id", roleId)
                .withText("tool", loop.tool())
                .with("repeats", (long) loop.repeats());
        if (!change.isOver()) {
            detail.with("max_repeats", (long) change.after().config().loop().maxRepeats())
                    .withText(OUTLIVES, outlived(change.before().loop().shared() && !loop.shared()));
        }
        return event(detail.with("since", loop.since()), change.after(), change.at());
    }

    /** Returns the event of a change of the used part of a limit. */
    public static Event of(UsageChange change, String roleId) {
        UsageState state = change.state();
        boolean open = state.level() != UsageLevel.NONE;
        EventDetail detail = new EventDetail(EventType.AGENT_USAGE, EventSeverity.of(state.level()))
                .with("agent_id", change.after().agentId())
                .withText("role_id", roleId)
                .with("level", state.level().wireName())
                .with("previous_level", change.before().usage().level().wireName())
                .with("limit", (open ? state.limit() : change.before().usage().limit()).wireName());
        if (open) {
            detail.with("used", state.used()).with("maximum", state.maximum()).with("until", state.until());
        }
        return event(detail, change.after(), change.at());
    }

    /** Returns the event of a wait for a person that takes longer than usual, or is over. */
    public static Event of(WaitingChange change, String roleId) {
        EventDetail detail = new EventDetail(change.isOver() ? EventType.AGENT_WAITING_OVER : EventType.AGENT_WAITING)
                .with("agent_id", change.after().agentId())
                .withText("role_id", roleId)
                .with("reason", change.reason().wireName())
                .with("waiting_since", change.since())
                .with("waiting_seconds", secondsBetween(change.since(), change.at()))
                .with("timestamp", change.at());
        Pulse after = change.after();
        return detail.ofAgent(after.agentId(), after.incarnation(), after.sequence(), change.at());
    }

    private static long secondsBetween(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toSeconds());
    }

    /** Returns the milliseconds of a drift. A drift that does not fit is the largest or smallest long. */
    private static long millis(Duration drift) {
        if (drift.abs().compareTo(Duration.ofMillis(Long.MAX_VALUE)) < 0) {
            return drift.toMillis();
        }
        return drift.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    private static Event drainTimeout(Transition transition, String roleId) {
        Pulse before = transition.before();
        EventDetail detail = new EventDetail(EventType.AGENT_DRAIN_TIMEOUT)
                .with("agent_id", before.agentId())
                .withText("role_id", roleId)
                .with("current_load", (long) Math.max(before.workload().load(), 0))
                .with("drain_timeout_seconds", before.drain().timeout().toSeconds());
        withDrain(detail, transition)
                .with("deadline_at", transition.dueAt())
                .with("timestamp", transition.detectedAt());
        return event(detail, transition, transition.after().sequence() - 1);
    }

    private static Event lifecycle(
            Transition transition,
            LifecycleStatus previous,
            String roleId,
            List<String> capabilities,
            ProbeState probes) {
        EventDetail detail = new EventDetail(
                        EventType.AGENT_LIFECYCLE,
                        EventSeverity.of(transition.after().status(), transition.reason()))
                .with("agent_id", transition.after().agentId())
                .with("previous_status", previous.wireName())
                .with("new_status", transition.after().status().wireName())
                .with("reason", transition.reason().wireName())
                .with("timestamp", transition.detectedAt())
                .withText("role_id", roleId)
                .with("capabilities", capabilities);
        withDrain(detail, transition);
        if (transition.dueAt().isBefore(transition.detectedAt())) {
            detail.with("deadline_at", transition.dueAt());
        }
        withOverdueRun(detail, transition);
        if (transition.isReplacement()) {
            detail.with("replaced", true);
        }
        withEnds(detail, transition);
        if (transition.isOfSilence() && transition.before().heartbeatCount() > 0) {
            detail.with("last_heartbeat_at", transition.before().lastHeartbeatAt());
        }
        if (transition.isOfSilence() && probes.isFailing()) {
            detail.with("probe_failure", probes.failure()).with("probe_failing_since", probes.since());
        }
        detail.with("detected_at", transition.detectedAt());
        return event(detail, transition, transition.after().sequence());
    }

    /** Adds the party that ended a registration: the present one if it ends, or the previous one if a new registration begins. */
    private static void withEnds(EventDetail detail, Transition transition) {
        Pulse after = transition.after();
        if (after.end().isKnown()) {
            detail.with("ended_by", after.end().by().wireName());
        }
        LastEnd previous = after.previousEnd();
        if (previous.isKnown() && transition.reason() == LifecycleReason.RE_REGISTERED) {
            Map<String, Object> end = new LinkedHashMap<>();
            end.put("ended_by", previous.by().wireName());
            end.put("reason", previous.reason().wireName());
            end.put("at", Timestamps.text(previous.at()));
            detail.with("previous_end", end);
        }
    }

    private static void withOverdueRun(EventDetail detail, Transition transition) {
        transition.expectedAt().ifPresent(expected -> detail.with("expected_at", expected)
                .withText(
                        "time_zone",
                        transition
                                .before()
                                .config()
                                .lifeSigns()
                                .schedule()
                                .map(RunSchedule::timeZone)
                                .orElse("")));
    }

    /** Adds the reason and the requester of a drain, if the change begins or ends one. */
    private static EventDetail withDrain(EventDetail detail, Transition transition) {
        Drain drain = transition.drain();
        return detail.withText("drain_reason", drain.reason()).withText("requested_by", drain.requestedBy());
    }

    private static Event event(EventDetail detail, Transition transition, long sequence) {
        Pulse after = transition.after();
        return detail.ofAgent(after.agentId(), after.incarnation(), sequence, transition.detectedAt());
    }
}
