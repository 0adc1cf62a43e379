package dev.agenthealth.model.operations.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides what a sync does with each entry of a source. */
public final class SyncRule {

    /** An entry that is missing in so many syncs in a row has its agent deregistered. */
    public static final int MISSED_TO_DEREGISTER = 2;

    private static final String SAME_ID = "has the same agent_id as '%s', which stays";

    private SyncRule() {}

    /**
     * The offer of a source.
     *
     * @param offers the entries that could be read, in their order
     * @param unread ids of the agents of entries that could not be read, which stay as they are
     * @param removed ids of the agents of entries that the source says were removed
     * @param whole whether an entry that is none of these is missing
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
     * @param entries by the ids of their agents, whose agents this source registered
     * @param own ids of live agents that are this source's, without an entry that says so: a sync was stopped, or a source was deleted
     * @param others why agents are not this source's, by their ids, as far as the source offers them
     */
    public record Known(Map<String, ImportedEntry> entries, Set<String> own, Map<String, String> others) {

        public Known {
            entries = Map.copyOf(entries);
            own = Set.copyOf(own);
            others = Map.copyOf(others);
        }
    }

    /** Returns one step for each offer, in their order, and for each entry that is not offered and whose agent was
     * not deregistered for that, by the id of its agent. */
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

    /** Returns the offer of each agent: of several, the one whose agent it is already, else the first. */
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
