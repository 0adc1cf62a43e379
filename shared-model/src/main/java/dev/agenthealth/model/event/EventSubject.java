package dev.agenthealth.model.event;

import dev.agenthealth.model.registry.usage.SharedUsage;
import java.util.Optional;

/**
 * The kind of thing that an event is about. Events about the same subject belong together: a recovery ends the problem of its subject, and a later
 * event replaces an earlier one in a message.
 *
 * <p>Each subject has a text, such as {@code agent.stall:billing-1}, which is part of stored keys and ids. The word before the colon has no colon
 * itself, so that no two subjects share a text.
 */
public enum EventSubject {
    AUDIT("audit:{event_id}"),
    LIFECYCLE(EventSubject.LIFECYCLE_PREFIX + "{agent_id}", ProblemKind.LIFECYCLE, ProblemEnd.OWN_EVENT),
    HEALTH("agent.health:{agent_id}", ProblemKind.HEALTH, ProblemEnd.OWN_EVENT),
    SCORE("agent.score:{agent_id}", ProblemKind.SCORE, ProblemEnd.OWN_EVENT),
    STALL("agent.stall:{agent_id}", ProblemKind.STALL, ProblemEnd.OWN_EVENT),
    WAITING("agent.waiting:{agent_id}", ProblemKind.WAITING, ProblemEnd.OWN_EVENT),
    LOOP("agent.loop:{agent_id}", ProblemKind.LOOP, ProblemEnd.OWN_EVENT),
    USAGE("agent.usage:{agent_id}", ProblemKind.USAGE, ProblemEnd.OWN_EVENT),
    SHARED_USAGE(
            SharedUsage.SUBJECT_PREFIX + "[role/{role_id}][owner/{key_id}]", ProblemKind.USAGE, ProblemEnd.OWN_EVENT),
    GHOST("agent.ghost:{agent_id}", ProblemKind.GHOST, ProblemEnd.OWN_EVENT),
    RUN("agent.run:{agent_id}", ProblemKind.RUN, ProblemEnd.REGISTRATION),
    CLOCK_DRIFT("agent.clock_drift:{agent_id}", ProblemKind.CLOCK_DRIFT, ProblemEnd.REGISTRATION),
    DRAIN_TIMEOUT("agent.drain_timeout:{agent_id}", ProblemKind.DRAIN_TIMEOUT, ProblemEnd.REGISTRATION),
    CERTIFICATE("agent.certificate_expiring:{agent_id}", ProblemKind.CERTIFICATE, ProblemEnd.AGENT),
    DECLARATION("agent.declaration_changed:{agent_id}", ProblemKind.DECLARATION, ProblemEnd.AGENT),
    /** An agent, or a provider if the event names no agent. */
    TRUST("agent.trust:{agent_id}", ProblemKind.BLOCK, ProblemEnd.OWN_EVENT),
    /** An agent that a containment rule found. */
    CONTAINMENT("containment:{agent_id}/{rule}"),
    /** A containment rule whose guards hold back agents. */
    CONTAINMENT_GUARD("containment.held_back:{rule}"),
    LEASE("lease:{intent_id}/{scope}"),
    KEY("key:{key_id}"),
    POOL("pool:{role_id}", ProblemKind.POOL, ProblemEnd.OWN_EVENT),
    POOL_VERSION("pool.version:{role_id}/{agent_version}", ProblemKind.VERSION, ProblemEnd.OWN_EVENT),
    UPSTREAM("upstream:{provider}", ProblemKind.UPSTREAM, ProblemEnd.OWN_EVENT),
    BLACKOUT("registry:blackout", ProblemKind.REGISTRY, ProblemEnd.OWN_EVENT),
    MASS_SILENCE("registry:mass_silence", ProblemKind.REGISTRY, ProblemEnd.OWN_EVENT),
    MASS_RESTART("registry:mass_restart", ProblemKind.REGISTRY, ProblemEnd.OWN_EVENT),
    PROBES("registry:probes_inconclusive", ProblemKind.REGISTRY, ProblemEnd.OWN_EVENT),
    STOP(EventSubject.STOP_PREFIX + "{stop}", ProblemKind.BLOCK, ProblemEnd.OWN_EVENT),
    CLOCK("registry:clock", ProblemKind.REGISTRY, ProblemEnd.OWN_EVENT);

    /** The beginning of the text of an agent's lifecycle. */
    public static final String LIFECYCLE_PREFIX = "agent:";

    /** The beginning of the text of a provider as the subject of a block. */
    public static final String PROVIDER_PREFIX = "provider.trust:";

    /** The beginning of the text of a stop. The text of its {@code StopScope} follows. */
    public static final String STOP_PREFIX = "registry:stop/";

    private final String template;
    private final Optional<ProblemKind> problem;
    private final ProblemEnd end;

    EventSubject(String template) {
        this(template, Optional.empty(), ProblemEnd.OWN_EVENT);
    }

    EventSubject(String template, ProblemKind problem, ProblemEnd end) {
        this(template, Optional.of(problem), end);
    }

    EventSubject(String template, Optional<ProblemKind> problem, ProblemEnd end) {
        this.template = template;
        this.problem = problem;
        this.end = end;
    }

    /** Returns the text of the subject of an event. */
    public String of(EventFields fields) {
        boolean provider = this == TRUST && fields.text("agent_id").isEmpty();
        return fields.fill(provider ? PROVIDER_PREFIX + "{provider_id}" : template);
    }

    /** Returns the kind of the subject's problems; empty if events about the subject are never problems in the list of problems. */
    public Optional<ProblemKind> problem() {
        return problem;
    }

    /** Returns the event that ends the subject's problems at the latest. */
    public ProblemEnd end() {
        return end;
    }
}
