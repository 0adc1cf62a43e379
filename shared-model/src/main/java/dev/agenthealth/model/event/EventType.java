package dev.agenthealth.model.event;

import static dev.agenthealth.model.event.EventDescription.change;
import static dev.agenthealth.model.event.EventDescription.notice;
import static dev.agenthealth.model.event.EventDescription.problem;
import static dev.agenthealth.model.event.EventDescription.recovery;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.Verdict;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The detail types on the event bus, each with its description. The name on the wire is also the name of the JSON Schema in {@code
 * docs/schemas/events}.
 */
public enum EventType implements WireNamed {
    AUDIT_RECORDED(
            "audit.recorded", notice(EventSubject.AUDIT).says("The audit log has {action}[ of agent {agent_id}].")),
    AGENT_LIFECYCLE(
            "agent.lifecycle", change(EventSubject.LIFECYCLE).erases("capabilities", "probe_failure", "drain_reason")),
    AGENT_DISMISSED(
            "agent.dismissed",
            recovery(EventSubject.LIFECYCLE)
                    .verdict(Verdict.GONE)
                    .says("Agent {agent_id} was dismissed: it is dead for good.")
                    .erases("note")),
    AGENT_CLOCK_DRIFT(
            "agent.clock_drift",
            problem(EventSubject.CLOCK_DRIFT, Severity.WARNING)
                    .says("Agent {agent_id} has a clock that is off by {drift_ms} ms.")),
    AGENT_DRAIN_TIMEOUT(
            "agent.drain_timeout",
            problem(EventSubject.DRAIN_TIMEOUT, Severity.WARNING)
                    .says("Agent {agent_id} ran out of time while draining, with {current_load} tasks in progress.")
                    .erases("drain_reason")),
    AGENT_STALLED("agent.stalled", problem(EventSubject.STALL)),
    AGENT_STALL_OVER("agent.stall_over", recovery(EventSubject.STALL)),
    AGENT_WAITING("agent.waiting", problem(EventSubject.WAITING, Severity.WARNING)),
    AGENT_WAITING_OVER(
            "agent.waiting_over",
            recovery(EventSubject.WAITING)
                    .says("Agent {agent_id} no longer waits for a person, after {waiting_seconds} s.")),
    AGENT_LOOPING("agent.looping", problem(EventSubject.LOOP).erases("tool")),
    AGENT_LOOPING_OVER(
            "agent.looping_over",
            recovery(EventSubject.LOOP)
                    .says("Agent {agent_id} no longer repeats the same calls[ of tool {tool}], after {repeats}"
                            + " repetitions.")
                    .erases("tool")),
    AGENT_USAGE("agent.usage", change(EventSubject.USAGE)),
    SHARED_USAGE("shared.usage", change(EventSubject.SHARED_USAGE)),
    AGENT_ACTIVE_WHILE_GONE(
            "agent.active_while_gone",
            problem(EventSubject.GHOST)
                    .says(
                            "A process of agent {agent_id} goes on although incarnation {active_incarnation} is {state}: the registry"
                                    + " sees {of}[ on {instance}][ from {address}].")
                    .erases("instance")),
    AGENT_ACTIVE_WHILE_GONE_OVER(
            "agent.active_while_gone_over",
            recovery(EventSubject.GHOST)
                    .says("Agent {agent_id} is no longer active while it is {state}.")
                    .erases("instance")),
    AGENT_RUN_FAILED(
            "agent.run_failed",
            problem(EventSubject.RUN, Severity.ERROR)
                    .verdict(Verdict.DOWN)
                    .says("Agent {agent_id} failed in its last run[ with exit code {exit_code}].")),
    AGENT_RUN_RECOVERED("agent.run_recovered", recovery(EventSubject.RUN).verdict(Verdict.OK)),
    AGENT_CERTIFICATE_EXPIRING("agent.certificate_expiring", problem(EventSubject.CERTIFICATE)),
    AGENT_DECLARATION_CHANGED(
            "agent.declaration_changed", change(EventSubject.DECLARATION).erases("added", "removed", "altered")),
    AGENT_HEALTH("agent.health", change(EventSubject.HEALTH).erases("capabilities")),
    AGENT_SCORE("agent.score", change(EventSubject.SCORE).erases("capabilities")),
    AGENT_TRUST("agent.trust", change(EventSubject.TRUST).erases("reason")),
    CONTAINMENT_WOULD_ACT(
            "containment.would_act",
            notice(EventSubject.CONTAINMENT)
                    .says("Rule {rule} only observes, and would {action} agent {agent_id}: {reasons}.")),
    CONTAINMENT_ACTED(
            "containment.acted",
            notice(EventSubject.CONTAINMENT).says("Rule {rule} asked agent {agent_id} to {action}: {reasons}.")),
    CONTAINMENT_HELD_BACK(
            "containment.held_back",
            problem(EventSubject.CONTAINMENT_GUARD, Severity.WARNING)
                    .says(
                            "Rule {rule} finds more agents than its guard {guard} allows: {agents} held back[, role {role_id}].")),
    LEASE_ACQUIRED(
            "lease.acquired",
            recovery(EventSubject.LEASE)
                    .says("The lease on {scope} of intent {intent_id} is held; its agent: {agent_id}.")),
    LEASE_RELEASED(
            "lease.released",
            notice(EventSubject.LEASE)
                    .says("The lease on {scope} of intent {intent_id} was released; its agent: {agent_id}.")),
    LEASE_EXPIRED(
            "lease.expired",
            problem(EventSubject.LEASE, Severity.WARNING)
                    .says("The lease on {scope} of intent {intent_id} expired; its agent: {agent_id}.")),
    LEASE_REVOKED(
            "lease.revoked",
            problem(EventSubject.LEASE, Severity.WARNING)
                    .says("The lease on {scope} of intent {intent_id} was revoked; its agent: {agent_id}.")),
    KEY_EXPIRING("key.expiring", problem(EventSubject.KEY, Severity.WARNING)),
    POOL_BELOW_MINIMUM(
            "pool.below_minimum",
            problem(EventSubject.POOL)
                    .says("Pool {role_id} has {active_instances} active agents, fewer than its minimum of"
                            + " {min_instances}.")),
    POOL_RECOVERED("pool.recovered", recovery(EventSubject.POOL)),
    POOL_VERSION_WORSE(
            "pool.version_worse",
            problem(EventSubject.POOL_VERSION, Severity.WARNING)
                    .says("Version {agent_version} of pool {role_id} is worse than version {previous_version}:"
                            + " {findings}.")),
    POOL_VERSION_RECOVERED(
            "pool.version_recovered",
            recovery(EventSubject.POOL_VERSION)
                    .says("Version {agent_version} of pool {role_id} is no longer worse than version"
                            + " {previous_version}, or no longer in use.")),
    UPSTREAM_FAILING(
            "upstream.failing",
            problem(EventSubject.UPSTREAM, Severity.ERROR)
                    .says(
                            "Model provider {provider} fails for {agents} of {users} agents that use it: {errors}[; models:"
                                    + " {models}].")),
    UPSTREAM_RECOVERED(
            "upstream.recovered",
            recovery(EventSubject.UPSTREAM)
                    .says("Model provider {provider} answers again, after {failing_seconds} s. It failed for {agents}"
                            + " agents.")),
    REGISTRY_BLACKOUT(
            "registry.blackout",
            problem(EventSubject.BLACKOUT, Severity.CRITICAL)
                    .says("The registry fails its self-check: heartbeats do not arrive, and no agent is marked as"
                            + " dead.")),
    REGISTRY_BLACKOUT_OVER(
            "registry.blackout_over",
            recovery(EventSubject.BLACKOUT).says("The registry passes its self-check again: heartbeats arrive.")),
    REGISTRY_MASS_SILENCE(
            "registry.mass_silence",
            problem(EventSubject.MASS_SILENCE, Severity.CRITICAL)
                    .says("{silent_agents} of {monitored_agents} agents are silent at once: marking agents as dead is"
                            + " limited to {deaths_per_minute} a minute.")),
    REGISTRY_MASS_SILENCE_OVER(
            "registry.mass_silence_over",
            recovery(EventSubject.MASS_SILENCE)
                    .says("The mass silence is over: {silent_agents} of {monitored_agents} agents are silent, and"
                            + " marking agents as dead is no longer limited.")),
    REGISTRY_MASS_RESTART(
            "registry.mass_restart",
            problem(EventSubject.MASS_RESTART, Severity.WARNING)
                    .says("{restarted_agents} of {monitored_agents} agents restart at once: deaths are postponed, as"
                            + " others may wait for their registration.")),
    REGISTRY_MASS_RESTART_OVER(
            "registry.mass_restart_over",
            recovery(EventSubject.MASS_RESTART).says("The mass restart is over: deaths are no longer postponed.")),
    REGISTRY_PROBES_INCONCLUSIVE(
            "registry.probes_inconclusive",
            problem(EventSubject.PROBES, Severity.CRITICAL)
                    .says("Most probes fail at once, those of {failing_agents} of {sampled_agents} sampled agents on"
                            + " {hosts} hosts: watched agents of their owners are not marked as unhealthy or dead for"
                            + " now.")),
    REGISTRY_PROBES_INCONCLUSIVE_OVER(
            "registry.probes_inconclusive_over",
            recovery(EventSubject.PROBES)
                    .says("Probes are conclusive again: those of {failing_agents} of {sampled_agents} sampled agents"
                            + " on {hosts} hosts fail.")),
    REGISTRY_STOPPED(
            "registry.stopped", problem(EventSubject.STOP, Severity.WARNING).says("A stop is in force: {stop}.")),
    REGISTRY_STOP_LIFTED("registry.stop_lifted", recovery(EventSubject.STOP).says("A stop was lifted: {stop}.")),
    REGISTRY_CLOCK_STEPPED("registry.clock_stepped", problem(EventSubject.CLOCK, Severity.WARNING)),
    REGISTRY_CLOCK_STEADY(
            "registry.clock_steady",
            recovery(EventSubject.CLOCK)
                    .says("The registry's clock is steady again, and its steps have no effects any more."));

    private final String wireName;
    private final EventDescription description;

    EventType(String wireName, EventDescription description) {
        this.wireName = wireName;
        this.description = description;
    }

    /** Returns the detail type that subscribers match. */
    @Override
    public String wireName() {
        return wireName;
    }

    /** Returns what all events of this type have in common. */
    public EventDescription description() {
        return description;
    }

    /** Returns the subject of the events. */
    public EventSubject subject() {
        return description.subject();
    }

    /**
     * Returns the severity of all events of this type.
     *
     * @throws IllegalArgumentException if events of the type differ in severity
     */
    public Severity severity() {
        return description
                .severity()
                .orElseThrow(
                        () -> new IllegalArgumentException("the severity of " + wireName + " depends on the event"));
    }

    /** Returns the types of other events whose problems the events of this type end: problems of the same subject. */
    public Set<EventType> ends() {
        boolean recovery = description.kind().filter(EventKind.RECOVERY::equals).isPresent();
        Predicate<EventType> ended = type -> recovery && type.subject() == subject() && type.description.canBeProblem();
        return Arrays.stream(values()).filter(ended).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns a short name that can be part of an id. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT);
    }
}
