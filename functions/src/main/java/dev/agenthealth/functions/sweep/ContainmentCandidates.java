package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.containment.ContainmentStore;
import dev.agenthealth.functions.storage.containment.StoredContainment;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.health.containment.ContainmentCandidate;
import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentChange;
import dev.agenthealth.model.health.containment.ContainmentReason;
import dev.agenthealth.model.health.statistics.FleetRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The agents for which a reason of a containment rule holds, by their rows. {@link #plus} adds the agents of segments.
 *
 * @param agents the agents
 * @param needed whether there is a rule or a case, so that the pass has work
 */
record ContainmentCandidates(List<ContainmentCandidate> agents, boolean needed) {

    static final ContainmentCandidates NONE = new ContainmentCandidates(List.of(), false);

    ContainmentCandidates {
        agents = List.copyOf(agents);
    }

    ContainmentCandidates plus(ContainmentCandidates other) {
        if (!needed || !other.needed) {
            return needed ? this : other;
        }
        List<ContainmentCandidate> all = new ArrayList<>(agents);
        all.addAll(other.agents);
        return new ContainmentCandidates(all, true);
    }

    /** Returns the agents as texts, for the message of a shard. */
    List<List<String>> texts() {
        return agents.stream()
                .map(one -> {
                    List<String> texts =
                            new ArrayList<>(List.of(one.rule(), one.agentId(), Long.toString(one.roleNumber())));
                    one.reasons().forEach(reason -> texts.add(reason.wireName()));
                    return texts;
                })
                .toList();
    }

    /** Returns the agents of a message of a shard. */
    static ContainmentCandidates ofTexts(List<?> messages, boolean needed) {
        List<ContainmentCandidate> agents = new ArrayList<>();
        for (Object message : messages) {
            List<String> texts =
                    ((List<?>) message).stream().map(Object::toString).toList();
            Set<ContainmentReason> reasons = new HashSet<>();
            texts.subList(3, texts.size()).forEach(name -> WireNamed.find(ContainmentReason.class, name)
                    .ifPresent(reasons::add));
            agents.add(new ContainmentCandidate(texts.get(0), texts.get(1), Long.parseLong(texts.get(2)), reasons));
        }
        return new ContainmentCandidates(agents, needed);
    }

    /** Collects agents one by one. Not thread-safe. */
    static final class Tally {

        private final List<StoredContainment> rules;
        private final boolean needed;
        private final Map<String, Set<String>> known = new HashMap<>();
        private final Set<String> contained = new HashSet<>();
        private final Map<String, Integer> others = new HashMap<>();
        private final Instant now;
        private final List<ContainmentCandidate> agents = new ArrayList<>();

        /** @param watch the rules and their cases; agents with a case are always collected */
        Tally(ContainmentStore.Watch watch, Instant now) {
            this.rules = watch.rules();
            this.needed = !watch.isEmpty();
            this.now = now;
            watch.cases().stream().filter(ContainmentCase::isBlock).forEach(one -> contained.add(one.agentId()));
            watch.cases().forEach(one -> known.computeIfAbsent(one.rule(), rule -> new HashSet<>())
                    .add(one.agentId()));
        }

        void add(FleetRow row) {
            if (rules.isEmpty()) {
                return;
            }
            Set<ContainmentReason> found = ContainmentReason.among(
                    Facts.of(false, false, row.pulse(), row.summary(), now).reasons());
            boolean acted = contained.contains(row.pulse().agentId())
                    && !row.pulse().status().hasEnded();
            if (!found.isEmpty() || acted) {
                rules.forEach(stored -> add(stored, row, found, acted));
            }
        }

        private void add(StoredContainment stored, FleetRow row, Set<ContainmentReason> found, boolean acted) {
            String rule = stored.name();
            String agentId = row.pulse().agentId();
            Set<ContainmentReason> reasons = stored.rule().reasons(row, found);
            boolean isKnown = known.getOrDefault(rule, Set.of()).contains(agentId);
            if (reasons.isEmpty()
                    ? acted && isKnown
                    : (isKnown || others.merge(rule, 1, Integer::sum) <= ContainmentChange.MAX_OF_RULE)) {
                agents.add(new ContainmentCandidate(
                        rule, agentId, row.pulse().coordination().roleNumber(), reasons));
            }
        }

        ContainmentCandidates candidates() {
            return new ContainmentCandidates(agents, needed);
        }
    }
}
