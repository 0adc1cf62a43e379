package dev.agenthealth.functions.storage.problems;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.model.operations.problem.ProblemMoment;
import dev.agenthealth.model.operations.problem.ProblemRule;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the problems of all subjects, with the changes by events and by people. The problem of an agent's lifecycle is written together
 * with each other problem of the agent. No problem can therefore open while another writer stores the agent's death. Thread-safe.
 */
public final class ProblemStore {

    /** The maximum number of agents, or of subjects without an agent, whose problems are read at once. */
    private static final int MAX_GROUPS = 100;

    /** The maximum number of open problems of a severity that are counted. */
    public static final int MAX_COUNTED = 1_000;

    private final Database database;
    private final Table registry;

    public ProblemStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Adds each event once to the problems of its subject. Costs two or three requests for {@value #MAX_GROUPS} agents.
     *
     * @throws StorageBusyException if other writers are faster too often; some of the events may be added nevertheless
     */
    public void add(List<ReceivedEvent> events) {
        Instant now = database.now();
        List<List<ReceivedEvent>> groups = events.stream()
                .filter(event -> ProblemRule.step(event, now).isPresent())
                .collect(Collectors.groupingBy(ProblemRule::group, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .toList();
        for (int from = 0; from < groups.size(); from += MAX_GROUPS) {
            addTogether(groups.subList(from, Math.min(from + MAX_GROUPS, groups.size())));
        }
    }

    private void addTogether(List<List<ReceivedEvent>> groups) {
        List<Change> changes = decide(groups);
        int most =
                changes.stream().mapToInt(change -> change.after().size()).max().orElse(1);
        List<Change> written = database.writeEach(changes, most, this::put, () -> true);
        changes.stream()
                .filter(change -> !written.contains(change))
                .forEach(change -> OptimisticUpdates.untilDone(
                        () -> decide(List.of(change.events())).stream().allMatch(this::write)));
    }

    /** The changes of the problems of one agent, or of one subject, by its events. */
    private record Change(List<ReceivedEvent> events, Map<String, SubjectProblem> before, List<SubjectProblem> after) {}

    /** Reads the problems of groups of events. Groups without a change are left out. */
    private List<Change> decide(List<List<ReceivedEvent>> groups) {
        Instant now = database.now();
        Map<String, SubjectProblem> known = new HashMap<>();
        read(groups.stream().flatMap(List::stream).flatMap(event -> ProblemRule.subjects(event).stream()), known);
        read(
                groups.stream()
                        .filter(events -> events.stream().anyMatch(event -> ProblemRule.isOfLife(event, now)))
                        .flatMap(events -> Optional.ofNullable(known.get(ProblemRule.group(events.get(0)))).stream())
                        .flatMap(ofAgent -> ofAgent.parts().stream()),
                known);
        return groups.stream()
                .map(events -> change(known, events, now))
                .filter(change -> !change.after().isEmpty())
                .toList();
    }

    private static Change change(Map<String, SubjectProblem> known, List<ReceivedEvent> events, Instant now) {
        Map<String, SubjectProblem> after = ProblemRule.after(known, events, now);
        List<SubjectProblem> changed = after.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(known.get(entry.getKey())))
                .map(Map.Entry::getValue)
                .collect(Collectors.toCollection(ArrayList::new));
        Optional.ofNullable(after.get(ProblemRule.group(events.get(0))))
                .filter(ofAgent -> !changed.isEmpty() && !changed.contains(ofAgent))
                .ifPresent(changed::add);
        return new Change(events, known, changed);
    }

    /** Reads the problems that are not known yet, as of now. */
    private void read(Stream<String> subjects, Map<String, SubjectProblem> known) {
        List<Map<String, AttributeValue>> keys = subjects.distinct()
                .filter(subject -> !known.containsKey(subject))
                .map(subject -> ProblemItem.key(ProblemId.of(subject)))
                .toList();
        registry.getAll(keys, true).stream()
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .map(ProblemItem::read)
                .forEach(problem -> known.put(problem.subject(), problem));
    }

    private boolean write(Change change) {
        Transaction transaction = database.transaction();
        put(transaction, change);
        return transaction.commit();
    }

    private void put(Transaction transaction, Change change) {
        change.after()
                .forEach(problem -> transaction.put(
                        registry, item(problem), asRead(problem, change.before().containsKey(problem.subject()))));
    }

    /** Writes a problem that was read and changed. Returns {@code false} if it is no longer as it was read. */
    public boolean write(SubjectProblem changed) {
        return registry.put(item(changed), asRead(changed, true));
    }

    private Map<String, AttributeValue> item(SubjectProblem problem) {
        return ProblemItem.item(problem.nextVersion(), database.now());
    }

    private Condition asRead(SubjectProblem problem, boolean known) {
        return known ? ProblemItem.VERSION.is(problem.version()) : Condition.absentOrExpired(database.now());
    }

    /**
     * Adds a note to the problem of each subject. Subjects without a problem are left out. Costs two requests for {@value #MAX_GROUPS} subjects.
     *
     * @throws StorageBusyException if other writers are faster too often; some of the notes may be added nevertheless
     */
    public void note(Collection<String> subjects, ProblemMoment note) {
        List<SubjectProblem> noted = noted(List.copyOf(subjects), note);
        List<SubjectProblem> written = database.writeEach(
                noted,
                1,
                (transaction, problem) -> transaction.put(registry, item(problem), asRead(problem, true)),
                () -> true);
        noted.stream()
                .filter(problem -> !written.contains(problem))
                .forEach(problem -> OptimisticUpdates.untilDone(
                        () -> noted(List.of(problem.subject()), note).stream().allMatch(this::write)));
    }

    private List<SubjectProblem> noted(List<String> subjects, ProblemMoment note) {
        return of(subjects).values().stream()
                .filter(problem -> !problem.notes().contains(note))
                .map(problem -> problem.noted(note))
                .toList();
    }

    /** Returns the problems of these subjects, as of now, by subject. Subjects without a problem are left out. */
    public Map<String, SubjectProblem> of(List<String> subjects) {
        Map<String, SubjectProblem> known = new HashMap<>();
        read(subjects.stream(), known);
        known.values().removeIf(problem -> !isShown(problem));
        return known;
    }

    /** Returns the problem with this id, as of now; empty if no such problem is shown. */
    public Optional<SubjectProblem> find(String problemId) {
        return registry.find(ProblemItem.key(problemId)).map(ProblemItem::read).filter(this::isShown);
    }

    /** Returns the problems of an agent, as of now, in no particular order. Costs two requests. */
    public List<SubjectProblem> ofAgent(String agentId) {
        return withParts(agentId).filter(this::isShown).toList();
    }

    private Stream<SubjectProblem> withParts(String agentId) {
        Map<String, SubjectProblem> known = new HashMap<>();
        read(Stream.of(SubjectProblem.ofLifecycle(agentId)), known);
        read(List.copyOf(known.values()).stream().flatMap(ofAgent -> ofAgent.parts().stream()), known);
        return known.values().stream();
    }

    /** Removes all problems of an agent. */
    public void removeOf(String agentId) {
        registry.deleteAll(
                withParts(agentId).map(problem -> ProblemItem.key(problem.id())).toList());
    }

    /**
     * Returns problems of a severity, the newest first. Eventually consistent.
     *
     * @param closed whether to return problems that are over or dismissed, or the other problems
     * @param after the {@link #position} after which they begin; empty for the first problems
     * @param limit the maximum number of problems
     */
    public List<SubjectProblem> page(boolean closed, Severity severity, String after, int limit) {
        Query query = index(closed, severity).descending();
        return registry.first(limit, after.isEmpty() ? query : query.before(after)).stream()
                .map(ProblemItem::read)
                .toList();
    }

    /** Returns the position of a problem among the problems of its severity. */
    public static String position(SubjectProblem problem) {
        return ProblemItem.position(problem);
    }

    /**
     * Returns the numbers of problems that are neither over nor dismissed, by severity. Reads at most {@value #MAX_COUNTED} problems of each severity,
     * the newest, and counts no others. Eventually consistent.
     */
    public Map<Severity, Long> countOpen() {
        Map<Severity, Long> counts = new EnumMap<>(Severity.class);
        for (Severity severity : Severity.values()) {
            counts.put(
                    severity,
                    registry.first(MAX_COUNTED, index(false, severity).descending()).stream()
                            .map(ProblemItem::read)
                            .filter(this::isShown)
                            .count());
        }
        return counts;
    }

    private static Query index(boolean closed, Severity severity) {
        return Query.index(
                Attributes.FEED_INDEX, Attributes.FEED_PK, Attributes.FEED_SK, ProblemItem.partition(closed, severity));
    }

    private boolean isShown(SubjectProblem problem) {
        return problem.isShown(database.now());
    }
}
