package dev.agenthealth.model.operations.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides the action of a sync on each entry of a source. */
public final class SyncRule {

    /** The number of syncs in a row without an entry after which its agent is deregistered. */
    public static final int MISSED_TO_DEREGISTER = 2;

    private static final String SAME_ID = "has the same agent_id as '%s', which stays";

    private SyncRule() {}

    /**
     * The content of a source.
     *
     * @param offers the readable entries, in their order
     * @param unread the ids of the agents of unreadable entries, which stay unchanged
     * @param removed the ids of the agents of entries that the source declares as removed
     * @param whole whether the content is complete, so that any other entry is missing
     */
    public record Reading(List<Offer> offers, Set<String> unread, Set<String> removed, boolean whole) {

        public Reading {
            offers = List.copyOf(offers);
            unread = Set.copyOf(unread);
            removed = Set.copyOf(removed);
        }
    }

    /**
     * The state of the registry.
     *
     * @param entries the entries that this source registered, by the ids of their agents
     * @param own the ids of live agents of this source without a stored entry, because a sync was stopped or a source was deleted
     * @param others the reasons for which offered agents do not belong to this source, by their ids
     */
    public record Known(Map<String, ImportedEntry> entries, Set<String> own, Map<String, String> others) {

        public Known {
            entries = Map.copyOf(entries);
            own = Set.copyOf(own);
            others = Map.copyOf(others);
        }
    }

    /**
     * Returns one step for each offer, in their order. Then follows a step for each missing entry with an agent that is not deregistered, ordered
     * by the id of the agent.
     */
    public static List<SyncStep> plan(Reading reading, Known known) {
        Map<String, Offer> chosen = chosen(reading.offers(), known);
        List<SyncStep> steps = new ArrayList<>();
        for (Offer offer : reading.offers()) {
            Offer first = chosen.get(offer.agentId());
            steps.add(
                    first == offer
                            ? step(offer, known)
                            : SyncStep.conflict(offer, String.format(SAME_ID, first.identifier())));
        }
        known.entries().values().stream()
                .filter(entry -> entry.claimsAgent() && !chosen.containsKey(entry.agentId()))
                .sorted((one, other) -> one.agentId().compareTo(other.agentId()))
                .forEach(entry -> steps.add(absent(entry, reading)));
        return steps;
    }

    /** Returns the offer for each agent. Of several offers, it is the one that the agent was registered for, else the first. */
    private static Map<String, Offer> chosen(List<Offer> offers, Known known) {
        Map<String, Offer> chosen = new LinkedHashMap<>();
        for (Offer offer : offers) {
            Offer first = chosen.putIfAbsent(offer.agentId(), offer);
            ImportedEntry entry = known.entries().get(offer.agentId());
            if (first != null
                    && entry != null
                    && offer.identifier().equals(entry.identifier())
                    && !first.identifier().equals(entry.identifier())) {
                chosen.put(offer.agentId(), offer);
            }
        }
        return chosen;
    }

    private static SyncStep step(Offer offer, Known known) {
        ImportedEntry entry = known.entries().get(offer.agentId());
        if (entry == null || !entry.claimsAgent()) {
            String reason = known.others().get(offer.agentId());
            if (reason != null) {
                return SyncStep.conflict(offer, reason);
            }
            return SyncStep.of(
                    known.own().contains(offer.agentId()) ? SyncAction.UPDATED : SyncAction.REGISTERED, offer);
        }
        if (!entry.equals(ImportedEntry.of(offer).missed(entry.missed()))) {
            return SyncStep.of(SyncAction.UPDATED, offer);
        }
        return SyncStep.of(entry.missed() == 0 ? SyncAction.UNCHANGED : SyncAction.RETURNED, offer);
    }

    private static SyncStep absent(ImportedEntry entry, Reading reading) {
        if (reading.unread().contains(entry.agentId())) {
            return SyncStep.of(SyncAction.UNCHANGED, entry);
        }
        if (reading.removed().contains(entry.agentId())) {
            return SyncStep.of(SyncAction.DEREGISTERED, entry);
        }
        if (!reading.whole()) {
            return SyncStep.of(SyncAction.UNCHANGED, entry);
        }
        return SyncStep.of(
                entry.missed() + 1 >= MISSED_TO_DEREGISTER ? SyncAction.DEREGISTERED : SyncAction.MISSING, entry);
    }
}
