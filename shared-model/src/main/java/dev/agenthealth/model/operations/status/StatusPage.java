package dev.agenthealth.model.operations.status;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The status page that a registry publishes for outsiders. It has names of its own, and neither ids nor reasons. Immutable.
 *
 * @param path the last part of its address
 * @param published whether outsiders can read it
 * @param entries the roles and agents in the order of the page
 * @param incidents the incidents, the newest first
 * @param updatedAt the time of the last change
 */
public record StatusPage(
        String path,
        String title,
        boolean published,
        List<StatusEntry> entries,
        List<StatusIncident> incidents,
        Instant updatedAt) {

    public static final int MAX_ENTRIES = 30;
    public static final int MAX_INCIDENTS = 50;

    private static final Comparator<StatusIncident> NEWEST_FIRST =
            Comparator.comparing(StatusIncident::startedAt).reversed().thenComparing(StatusIncident::id);

    /** The page before an administrator writes it: nothing is published. */
    public static final StatusPage NONE = new StatusPage("", "", false, List.of(), List.of(), Instant.EPOCH);

    public StatusPage {
        entries = List.copyOf(entries);
        incidents = incidents.stream().sorted(NEWEST_FIRST).toList();
    }

    /** Returns the page with the time of its last change. */
    public StatusPage changedAt(Instant now) {
        return new StatusPage(path, title, published, entries, incidents, now);
    }

    /** Returns the same incidents below a new title, path and list of entries. */
    public StatusPage rewritten(StatusPage wanted, Instant now) {
        return new StatusPage(wanted.path, wanted.title, wanted.published, wanted.entries, incidents, now);
    }

    /** Returns the page with this incident in the place of the incident with its id. The oldest incidents beyond the maximum are left out. */
    public StatusPage with(StatusIncident incident, Instant now) {
        List<StatusIncident> all = Stream.concat(
                        Stream.of(incident), incidents.stream().filter(isNot(incident.id())))
                .sorted(NEWEST_FIRST)
                .limit(MAX_INCIDENTS)
                .toList();
        return new StatusPage(path, title, published, entries, all, now);
    }

    /** Returns the page without the incident with this id. */
    public StatusPage withoutIncident(String id, Instant now) {
        List<StatusIncident> others = incidents.stream().filter(isNot(id)).toList();
        return new StatusPage(path, title, published, entries, others, now);
    }

    /** Returns the page without the entries of an agent. */
    public StatusPage withoutAgent(String agentId, Instant now) {
        List<StatusEntry> others = entries.stream()
                .filter(entry -> !entry.agent() || !entry.id().equals(agentId))
                .toList();
        return others.size() == entries.size() ? this : new StatusPage(path, title, published, others, incidents, now);
    }

    private static Predicate<StatusIncident> isNot(String id) {
        return incident -> !incident.id().equals(id);
    }
}
