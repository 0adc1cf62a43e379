package dev.agenthealth.functions.storage.problems;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT_SET;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.problem.Handling;
import dev.agenthealth.model.operations.problem.ProblemCourse;
import dev.agenthealth.model.operations.problem.ProblemHistory;
import dev.agenthealth.model.operations.problem.ProblemMoment;
import dev.agenthealth.model.operations.problem.ProblemStep;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import dev.agenthealth.model.operations.problem.SubjectProblem.LastEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores problems as items. Shown problems are in the index {@value Attributes#FEED_INDEX}. This class owns the attribute names. */
final class ProblemItem {

    private static final int MILLIS_DIGITS = 13;

    /** The retention of an agent's other problems. The problem of the agent's lifecycle names them, and is kept longer. */
    private static final Duration RETENTION_OF_PARTS = SubjectProblem.MAX_AGE.plusDays(7);

    private static final AttributeType<ProblemCourse> COURSE_TYPE =
            TEXTS.as(ProblemCourse.NONE, ProblemItem::texts, ProblemItem::course);
    private static final AttributeType<Optional<Severity>> LEVEL = TEXT.as(
            Optional.empty(),
            level -> level.map(Severity::wireName).orElse(""),
            text -> WireNamed.find(Severity.class, text));
    private static final AttributeType<ProblemMoment> NOTE = TEXTS.as(
            new ProblemMoment(Instant.EPOCH, ProblemMoment.Kind.NOTIFIED, Optional.empty(), "", "", ""),
            note -> List.of(
                    note.kind().wireName(),
                    String.valueOf(note.at().toEpochMilli()),
                    note.id(),
                    note.name(),
                    note.result()),
            texts -> new ProblemMoment(
                    Instant.ofEpochMilli(Long.parseLong(texts.get(1))),
                    WireNamed.find(ProblemMoment.Kind.class, texts.get(0)).orElse(ProblemMoment.Kind.NOTIFIED),
                    Optional.empty(),
                    texts.get(2),
                    texts.get(3),
                    texts.get(4)));
    private static final AttributeType<LastEvent> EVENT = TEXTS.as(
            LastEvent.NONE,
            event -> List.of(
                    event.order(), event.eventId(), event.type(), event.at().toString()),
            texts -> new LastEvent(texts.get(0), texts.get(1), texts.get(2), Instant.parse(texts.get(3))));
    private static final AttributeType<Optional<Handling>> HANDLING =
            TEXTS.as(Optional.empty(), ProblemItem::texts, ProblemItem::handling);

    private static final Codec<SubjectProblem> PROBLEM = new Codec<>();
    private static final Codec<ProblemHistory> HISTORY = PROBLEM.part(SubjectProblem::history);
    private static final Attribute<String> SUBJECT = PROBLEM.always("subject", TEXT, SubjectProblem::subject);
    private static final Attribute<String> AGENT = PROBLEM.optional("agent", TEXT, SubjectProblem::agentId);
    private static final Attribute<String> ROLE = PROBLEM.optional("role", TEXT, SubjectProblem::roleId);
    private static final Attribute<ProblemKind> KIND =
            HISTORY.always("kind", AttributeType.wireName(ProblemKind.LIFECYCLE), ProblemHistory::kind);
    private static final Attribute<ProblemCourse> COURSE =
            HISTORY.optional("course", COURSE_TYPE, ProblemHistory::before);
    private static final Attribute<String> UNTIL = HISTORY.optional("until", TEXT, ProblemHistory::until);
    private static final Attribute<List<String>> RECENT =
            HISTORY.always("recent", TEXTS, history -> history.recent().stream()
                    .map(ProblemItem::text)
                    .toList());

    /** The severities of the recent steps, in their order. The version that ignores them may have added steps since. */
    private static final Attribute<List<Optional<Severity>>> LEVELS = HISTORY.optional(
            "levels",
            LEVEL.listed(),
            history ->
                    history.recent().stream().allMatch(entry -> entry.severity().isEmpty())
                            ? List.of()
                            : history.recent().stream()
                                    .map(ProblemHistory.Entry::severity)
                                    .toList());

    private static final Attribute<LastEvent> BEGUN = PROBLEM.optional("begun", EVENT, SubjectProblem::begun);
    private static final Attribute<LastEvent> LAST = PROBLEM.optional("last", EVENT, SubjectProblem::last);
    private static final Attribute<Severity> SEVERITY =
            PROBLEM.optional("severity", AttributeType.wireName(Severity.INFO), SubjectProblem::severity);
    private static final Attribute<String> SUMMARY = PROBLEM.optional("summary", TEXT, SubjectProblem::summary);
    private static final Attribute<Set<String>> PARTS = PROBLEM.optional("parts", TEXT_SET, SubjectProblem::parts);
    private static final Attribute<Optional<Handling>> ACKNOWLEDGED =
            PROBLEM.optional("ack", HANDLING, SubjectProblem::acknowledged);
    private static final Attribute<Optional<Handling>> DISMISSED =
            PROBLEM.optional("dismissed", HANDLING, SubjectProblem::dismissed);
    private static final Attribute<List<ProblemMoment>> NOTES =
            PROBLEM.optional("notes", NOTE.listed(), SubjectProblem::notes);
    static final Attribute<Long> VERSION = PROBLEM.always("ver", NUMBER, SubjectProblem::version);

    /** The position of the assignee among the stored texts. An earlier version stored none. */
    private static final int ASSIGNEE = 7;

    private ProblemItem() {}

    static Map<String, AttributeValue> key(String problemId) {
        return ItemKind.PROBLEM.key(problemId);
    }

    /** Returns the item of a problem. */
    static Map<String, AttributeValue> item(SubjectProblem problem, Instant now) {
        Instant kept = problem.keptUntil();
        Instant keptForParts = problem.parts().isEmpty() ? kept : now.plus(RETENTION_OF_PARTS);
        Map<String, AttributeValue> item =
                Attributes.item(key(problem.id()), kept.isAfter(keptForParts) ? kept : keptForParts);
        if (problem.isShown(now)) {
            item.put(Attributes.FEED_PK, s(partition(problem.isClosed(), problem.severity())));
            item.put(Attributes.FEED_SK, s(position(problem)));
        }
        return PROBLEM.put(item, problem);
    }

    /** Returns the partition of the index for closed or open problems of a severity. */
    static String partition(boolean closed, Severity severity) {
        return "PROBLEMS#" + (closed ? "closed" : "open") + "#" + severity.wireName();
    }

    /** Returns the position of a problem in its partition, by its beginning. */
    static String position(SubjectProblem problem) {
        return Attributes.padded(problem.openedAt().toEpochMilli(), MILLIS_DIGITS) + "#" + problem.id();
    }

    static SubjectProblem read(Map<String, AttributeValue> item) {
        return new SubjectProblem(
                new SubjectProblem.Subject(SUBJECT.of(item), AGENT.of(item), PARTS.of(item)),
                new ProblemHistory(KIND.of(item), COURSE.of(item), UNTIL.of(item), recent(item)),
                new SubjectProblem.Beginning(BEGUN.of(item), ROLE.of(item), SEVERITY.of(item), SUMMARY.of(item)),
                LAST.of(item),
                new SubjectProblem.Handlings(ACKNOWLEDGED.of(item), DISMISSED.of(item)),
                NOTES.of(item),
                VERSION.of(item));
    }

    private static List<String> texts(ProblemCourse course) {
        return List.of(
                String.valueOf(course.open()),
                String.valueOf(course.gone()),
                course.openedAt().toString(),
                course.closedAt().toString(),
                String.valueOf(course.occurrences()));
    }

    private static ProblemCourse course(List<String> texts) {
        return new ProblemCourse(
                Boolean.parseBoolean(texts.get(0)),
                Boolean.parseBoolean(texts.get(1)),
                Instant.parse(texts.get(2)),
                Instant.parse(texts.get(3)),
                Integer.parseInt(texts.get(4)));
    }

    /** Returns an entry as a text: the code of the step, then the order. */
    private static String text(ProblemHistory.Entry entry) {
        return entry.step().code() + entry.order();
    }

    private static List<ProblemHistory.Entry> recent(Map<String, AttributeValue> item) {
        List<String> texts = RECENT.of(item);
        List<Optional<Severity>> levels = LEVELS.of(item);
        boolean isKnown = levels.size() == texts.size();
        List<ProblemHistory.Entry> entries = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            entries.add(entry(texts.get(i), isKnown ? levels.get(i) : Optional.empty()));
        }
        return entries;
    }

    private static ProblemHistory.Entry entry(String text, Optional<Severity> severity) {
        ProblemStep step = Stream.of(ProblemStep.values())
                .filter(one -> one.code() == text.charAt(0))
                .findFirst()
                .orElseThrow();
        return new ProblemHistory.Entry(text.substring(1), step, severity);
    }

    private static List<String> texts(Optional<Handling> handling) {
        return handling.map(h -> List.of(
                        h.by(),
                        h.byName(),
                        h.at().toString(),
                        h.note(),
                        h.until().toString(),
                        h.seen().openedAt().toString(),
                        h.seen().severity().wireName(),
                        h.assignee()))
                .orElse(List.of());
    }

    private static Optional<Handling> handling(List<String> texts) {
        return Optional.of(new Handling(
                texts.get(0),
                texts.get(1),
                texts.size() > ASSIGNEE ? texts.get(ASSIGNEE) : "",
                Instant.parse(texts.get(2)),
                texts.get(3),
                Instant.parse(texts.get(4)),
                new Handling.Seen(
                        Instant.parse(texts.get(5)),
                        WireNamed.find(Severity.class, texts.get(6)).orElse(Severity.CRITICAL))));
    }
}
