package dev.agenthealth.functions.health.trust;

import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.workflows.GroupStore.Group;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A known agent or provider.
 *
 * @param subject the kind and id
 * @param since when it was registered or first named; {@link Instant#EPOCH} if that is unknown
 * @param providerId an agent's provider; empty for none, and for a provider itself
 * @param lifecycle an agent's lifecycle status as a word; empty for a provider
 * @param expected the expectations of an agent; {@link Expectations#NONE} for a provider
 * @param needsEvidence whether lists show it only if it has a record or is blocked
 * @param stopped the stop that covers an agent, as a block; {@link Block#NONE} if there is none
 */
record RatedSubject(
        TrustSubject subject,
        Instant since,
        String providerId,
        String lifecycle,
        Expectations expected,
        boolean needsEvidence,
        Block stopped) {

    private static final Set<String> GONE =
            Set.of(LifecycleStatus.DEAD.wireName(), LifecycleStatus.DEREGISTERED.wireName());

    static RatedSubject of(StoredAgent agent) {
        return of(agent.pulse(), agent.profile());
    }

    static RatedSubject of(Pulse pulse, AgentProfile profile) {
        return new RatedSubject(
                new OfAgent(profile.agentId()),
                profile.history().registeredAt(),
                profile.description().providerId(),
                pulse.status().wireName(),
                profile.basis().expectations(),
                false,
                Block.NONE);
    }

    /** Returns an agent that is {@linkplain Pulse#isAsFirstRegistered as first registered}, without provider and expectations. */
    static RatedSubject ofRow(Pulse pulse) {
        return new RatedSubject(
                new OfAgent(pulse.agentId()),
                pulse.statusSince(),
                "",
                pulse.status().wireName(),
                Expectations.NONE,
                false,
                Block.NONE);
    }

    static RatedSubject of(Group provider) {
        return new RatedSubject(
                new OfProvider(provider.name()), provider.notedAt(), "", "", Expectations.NONE, false, Block.NONE);
    }

    /** Returns an unknown agent or provider, which may be blocked nevertheless. */
    static RatedSubject unknown(TrustSubject subject) {
        return new RatedSubject(subject, Instant.EPOCH, "", "", Expectations.NONE, false, Block.NONE);
    }

    /** Returns the subject for a list. Lists show a dead or deregistered agent only with evidence. */
    RatedSubject inList() {
        return new RatedSubject(subject, since, providerId, lifecycle, expected, GONE.contains(lifecycle), stopped);
    }

    /** Returns the subject with the stop that covers it. */
    RatedSubject stoppedBy(Optional<Stop> stop) {
        return stop.map(found -> new RatedSubject(
                        subject, since, providerId, lifecycle, expected, needsEvidence, found.asBlock()))
                .orElse(this);
    }

    boolean hasStatusIn(Set<LifecycleStatus> statuses) {
        return statuses.stream().anyMatch(status -> status.wireName().equals(lifecycle));
    }

    boolean isAgent() {
        return subject instanceof OfAgent;
    }
}
