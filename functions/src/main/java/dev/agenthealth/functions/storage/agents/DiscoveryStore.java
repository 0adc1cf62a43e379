package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.agents.CandidateSource.Candidates;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds agents by capability, role, status and free capacity.
 *
 * <p>If many of all agents match, rows are read in sequence. Otherwise the agents come from discovery tags or the status indexes
 * ({@link CandidateSources}). The first page decides for all pages.
 *
 * <p>A page ends before the first agent that does not fit, so that no empty page follows a full page. It also ends after
 * {@link #MAX_CANDIDATES} candidates, which bounds its cost. In the second case a page may hold fewer agents than the limit, or none,
 * although another page follows. Thread-safe.
 */
public final class DiscoveryStore {

    /** Maximum number of candidates that are read for one page. */
    public static final int MAX_CANDIDATES = 1_000;

    private static final int MIN_PER_QUERY = 10;

    private final Database database;
    private final CandidateSources sources;
    private final PulseStore pulses;
    private final AgentStore agents;

    public DiscoveryStore(Database database) {
        this.database = database;
        this.sources = new CandidateSources(database);
        this.pulses = new PulseStore(database);
        this.agents = new AgentStore(database);
    }

    /**
     * The position at which a listing continues.
     *
     * @param inSequence whether monitored agents are read in the sequence of all rows
     * @param source number of the source
     * @param agentId the last agent read; empty at the beginning of a source
     */
    public record Cursor(boolean inSequence, int source, String agentId) {

        /** The beginning of a listing. */
        public static final Cursor START = new Cursor(false, 0, "");

        /** The beginning of a listing of the rows in sequence. */
        private static final Cursor START_IN_SEQUENCE = new Cursor(true, 0, "");

        private static final String IN_SEQUENCE = "s";

        /** Returns the cursor of a text from {@link #text()}; {@link #START} for an empty text. */
        public static Cursor ofText(String text) {
            if (text.isEmpty()) {
                return START;
            }
            boolean inSequence = text.startsWith(IN_SEQUENCE);
            int colon = text.indexOf(':');
            return new Cursor(
                    inSequence,
                    Integer.parseInt(text.substring(inSequence ? IN_SEQUENCE.length() : 0, colon)),
                    text.substring(colon + 1));
        }

        /** Returns the cursor as a text. */
        public String text() {
            return (inSequence ? IN_SEQUENCE : "") + source + ":" + agentId;
        }
    }

    /** Returns up to {@code limit} agents after {@code cursor}, which must be the {@code next} of a page of the same query. */
    public ListPage<ListedAgent> page(DiscoveryQuery query, int limit, Cursor cursor) {
        return page(query, agent -> true, limit, cursor, agent -> true);
    }

    /**
     * Returns a page of the agents that pass a filter, as long as they fit.
     *
     * @param room takes each agent in turn and returns whether it fits; the page ends before the first agent that does not fit
     */
    public ListPage<ListedAgent> page(
            DiscoveryQuery query,
            Predicate<ListedAgent> filter,
            int limit,
            Cursor cursor,
            Predicate<ListedAgent> room) {
        if (!cursor.equals(Cursor.START) || query.owner().isPresent() || query.ofCatalogue()) {
            return page(query, filter, limit, cursor, room, Optional.empty());
        }
        Optional<Candidates> first = Optional.empty();
        // The number is one more than a page of this size shows.
        int firstRead = PulseStore.SAMPLE + 1;
        if (query.isByTags()) {
            if (limit < PulseStore.SAMPLE || !query.includesMonitored()) {
                return page(query, filter, limit, cursor, room, first);
            }
            first = Optional.of(sources.of(query, false).get(0).after("", PulseStore.SAMPLE));
            if (!first.get().more()) {
                return page(query, filter, limit, cursor, room, first);
            }
        } else if (query.statuses().contains(LifecycleStatus.ACTIVE)) {
            firstRead = Math.max(PulseStore.SAMPLE, limit + 1);
        } else {
            return page(query, filter, limit, cursor, room, first);
        }
        Candidates rows = sources.rows().after("", firstRead);
        return isCommon(query, rows)
                ? page(query, filter, limit, Cursor.START_IN_SEQUENCE, room, Optional.of(rows))
                : page(query, filter, limit, cursor, room, first);
    }

    /** Returns all agents of a query by tags that pass a filter, in one page. Another page follows only if there are too many candidates. */
    public ListPage<ListedAgent> allTagged(DiscoveryQuery query, Predicate<ListedAgent> filter) {
        return page(query, filter, MAX_CANDIDATES, Cursor.START, agent -> true, Optional.empty());
    }

    /** @param first the candidates that were already read from the first source */
    private ListPage<ListedAgent> page(
            DiscoveryQuery query,
            Predicate<ListedAgent> filter,
            int limit,
            Cursor cursor,
            Predicate<ListedAgent> room,
            Optional<Candidates> first) {
        boolean inSequence = cursor.inSequence();
        List<CandidateSource> all = sources.of(query, inSequence);
        List<ListedAgent> found = new ArrayList<>();
        int itemsRead = 0;
        int atLeast = inSequence ? PulseStore.SAMPLE : MIN_PER_QUERY;
        int source = cursor.source();
        String after = cursor.agentId();
        Optional<Candidates> ready = first;
        while (source < all.size()) {
            if (itemsRead >= MAX_CANDIDATES) {
                return new ListPage<>(found, new Cursor(inSequence, source, after).text());
            }
            CandidateSource current = all.get(source);
            Candidates candidates = ready.isPresent()
                    ? ready.get()
                    : current.after(after, Math.min(current.maxPerRead(), Math.max(atLeast, limit + 1 - found.size())));
            ready = Optional.empty();
            // If few agents match, small queries would be many.
            atLeast = Math.min(PulseStore.SAMPLE, 2 * atLeast);
            itemsRead += candidates.itemsRead();
            for (ListedAgent agent : matching(query, current, candidates)) {
                if (!filter.test(agent)) {
                    continue;
                }
                if (found.size() == limit || !room.test(agent)) {
                    return new ListPage<>(found, new Cursor(inSequence, source, after).text());
                }
                found.add(agent);
                after = agent.pulse().agentId();
            }
            after = candidates.more() ? candidates.readUpTo() : "";
            source = candidates.more() ? source : source + 1;
        }
        return new ListPage<>(found, "");
    }

    /**
     * Returns the only agent that a caller owns. If the caller owns several agents, returns the only agent that is neither dead nor
     * deregistered. Empty if there is no such agent, if several are left, or if the caller owns more than {@link PulseStore#SAMPLE} agents.
     */
    public Optional<String> onlyAgentOf(Caller caller) {
        int limit = PulseStore.SAMPLE + 1;
        List<String> owned = database
                .registry()
                .first(limit, DiscoveryTags.ownedBy(caller).consistent())
                .stream()
                .map(item -> text(item, Attributes.SK))
                .toList();
        if (owned.size() < 2 || owned.size() == limit) {
            return owned.stream().filter(id -> owned.size() == 1).findFirst();
        }
        List<String> present = pulses.findAll(owned).stream()
                .filter(row -> !row.pulse().status().hasEnded())
                .map(row -> row.pulse().agentId())
                .toList();
        return present.stream().filter(id -> present.size() == 1).findFirst();
    }

    /** Returns whether so many of these rows match that reading all rows in sequence costs less. */
    private static boolean isCommon(DiscoveryQuery query, Candidates read) {
        if (query.isOfAllMonitored() || !read.more()) {
            return true;
        }
        long matches = read.rows().values().stream()
                .filter(row -> query.statuses().contains(row.pulse().status()))
                .filter(row -> row.profile().map(query::matches).orElse(!query.isByTags()))
                .count();
        return matches * PulseStore.MAX_ROWS_PER_MATCH >= read.itemsRead();
    }

    private List<ListedAgent> matching(DiscoveryQuery query, CandidateSource source, Candidates candidates) {
        List<PulseRow> wanted = rows(candidates).stream()
                .filter(row -> source.searches(row.pulse().status()) && query.matches(row.pulse()))
                .filter(row ->
                        row.profile().isEmpty() || query.matches(row.profile().get()))
                .toList();
        return agents.listed(wanted).stream()
                .filter(agent -> query.matches(agent.profile()))
                .toList();
    }

    /** Returns the rows of candidates in their order; reads the rows that were not read with them. */
    private List<PulseRow> rows(Candidates candidates) {
        List<PulseRow> found = new ArrayList<>(candidates.agentIds().size());
        Map<String, PulseRow> rows = candidates.rows();
        if (!rows.keySet().containsAll(candidates.agentIds())) {
            rows = new HashMap<>(rows);
            for (PulseRow row : pulses.findAll(unread(candidates))) {
                rows.put(row.pulse().agentId(), row);
            }
        }
        for (String id : candidates.agentIds()) {
            PulseRow row = rows.get(id);
            if (row != null) {
                found.add(row);
            }
        }
        return found;
    }

    private static List<String> unread(Candidates candidates) {
        return candidates.agentIds().stream()
                .filter(id -> !candidates.rows().containsKey(id))
                .toList();
    }
}
