package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.sources.SyncState.Conflict;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.operations.source.Offer;
import dev.agenthealth.model.operations.source.SyncAction;
import dev.agenthealth.model.registry.profile.CardSignature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Collects the results of a sync from several threads. Thread-safe. */
final class SyncResult {

    /** The maximum number of changes in an answer. */
    static final int MAX_CHANGES = 100;

    static final String SKIPPED = "skipped";
    static final String DELETED = "deleted";
    static final String FAILED = "failed";
    static final String REFUSED = "refused";

    private final SortedMap<String, Long> counts = noCounts();
    private final List<Conflict> conflicts = new ArrayList<>();
    private final SortedMap<String, SyncState.Refused> refused = new TreeMap<>();
    private final List<SyncState.Skipped> skipped = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final Map<String, ObjectNode> changes = new TreeMap<>();
    private boolean complete = true;

    /** Returns all counts with the value 0, by name. */
    static SortedMap<String, Long> noCounts() {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (SyncAction action : SyncAction.values()) {
            counts.put(name(action), 0L);
        }
        List.of(SKIPPED, DELETED, FAILED, REFUSED, SyncState.POSTPONED).forEach(name -> counts.put(name, 0L));
        return counts;
    }

    /** Returns the name under which an action is counted. An entry that returned unchanged counts as unchanged. */
    private static String name(SyncAction action) {
        return action == SyncAction.RETURNED ? SyncAction.UNCHANGED.wireName() : action.wireName();
    }

    synchronized void count(String name, int number) {
        counts.merge(name, (long) number, Long::sum);
    }

    /** Records an action, done or planned. */
    synchronized void done(SyncAction action, Offer offer) {
        count(name(action), 1);
        if (action != SyncAction.UNCHANGED && action != SyncAction.RETURNED && changes.size() < MAX_CHANGES) {
            changes.put(offer.agentId(), change(action.wireName(), offer.agentId(), cut(offer.identifier())));
        }
    }

    private static ObjectNode change(String action, String agentId, String identifier) {
        return Json.object().put("action", action).put("agent_id", agentId).put("identifier", identifier);
    }

    /**
     * Records an entry that does not become an agent without a valid signature.
     *
     * @param registered whether its agent was registered before
     */
    synchronized void refused(Listing listing, CardSignature signature, boolean registered) {
        count(REFUSED, 1);
        String identifier = listing.identifier();
        refused.put(identifier, new SyncState.Refused(cut(identifier), listing.agentId(), signature, registered));
    }

    /** Records an entry that declares no agent. */
    synchronized void skipped(SyncState.Skipped entry) {
        count(SKIPPED, 1);
        if (skipped.size() < MAX_CHANGES) {
            skipped.add(new SyncState.Skipped(cut(entry.identifier()), cut(entry.reason())));
        }
    }

    synchronized void conflict(Offer offer, String reason) {
        count(SyncAction.CONFLICT.wireName(), 1);
        if (conflicts.size() < SyncState.MAX_LISTED) {
            conflicts.add(new Conflict(cut(offer.identifier()), offer.agentId(), cut(reason)));
        }
    }

    /** Records an entry with a failure. */
    synchronized void failed(String error) {
        count(FAILED, 1);
        error(error);
    }

    synchronized void error(String error) {
        if (errors.size() < SyncState.MAX_LISTED && !errors.contains(cut(error))) {
            errors.add(cut(error));
        }
    }

    /** Records an entry for which there was no time, or for which storage was too busy. */
    synchronized void postponed() {
        complete = false;
        count(SyncState.POSTPONED, 1);
    }

    /** Records that the whole sync failed. */
    synchronized void stopped(String error) {
        complete = false;
        error(error);
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), SyncState.MAX_TEXT));
    }

    /**
     * Returns the part of the result that is stored.
     *
     * @param whole whether the sync read the whole source
     */
    synchronized SyncState state(Instant began, boolean whole, SyncState before) {
        return new SyncState(
                began,
                whole && complete ? began : before.wholeAt(),
                complete,
                counts,
                new SyncState.Listed(
                        conflicts,
                        refused.values().stream().limit(SyncState.MAX_LISTED).toList(),
                        skipped.stream().limit(SyncState.MAX_LISTED).toList()),
                errors);
    }

    /** Returns the answer to a request. */
    synchronized ObjectNode json(ObjectNode json, Instant began) {
        SyncState state = state(began, false, SyncState.NONE);
        SourceJson.put(json, state);
        SourceJson.putSkipped(json, skipped);
        ArrayNode shown = json.putArray("changes").addAll(changes.values());
        state.listed().refused().stream()
                .limit(MAX_CHANGES - shown.size())
                .forEach(entry -> shown.add(change(REFUSED, entry.agentId(), entry.identifier())
                        .put("signature", entry.signature().wireName())));
        return json;
    }
}
