package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The history of a subject. With it, events that arrive late or twice lead to the same state as events in the right order.
 *
 * @param kind the kind of the subject's problems
 * @param before the state before the recent steps
 * @param until the order of the last step before the recent ones; earlier steps are counted already; empty without one
 * @param recent the recent steps in order, at most {@value #MAX_RECENT}
 */
public record ProblemHistory(ProblemKind kind, ProblemCourse before, String until, List<Entry> recent) {

    /** The maximum number of recent steps. An event that more later events of its subject have overtaken is ignored. */
    static final int MAX_RECENT = 16;

    /**
     * A step of the history.
     *
     * @param order the order as in {@link ReceivedEvent#order()}
     * @param severity the severity of the problem from then on; empty if the step begins no problem, or an earlier version stored it
     */
    public record Entry(String order, ProblemStep step, Optional<Severity> severity) {

        /** Returns a step that begins no problem. */
        static Entry of(String order, ProblemStep step) {
            return new Entry(order, step, Optional.empty());
        }

        Instant at() {
            return Instant.ofEpochMilli(Long.parseLong(order.substring(0, ReceivedEvent.DIGITS_OF_MILLIS)));
        }
    }

    public ProblemHistory {
        recent = List.copyOf(recent);
    }

    static ProblemHistory of(ProblemKind kind) {
        return new ProblemHistory(kind, ProblemCourse.NONE, "", List.of());
    }

    /** Returns the history with more events, each counted once. */
    ProblemHistory plus(Collection<Entry> more) {
        TreeMap<String, Entry> all = new TreeMap<>(ReceivedEvent.LATER);
        recent.forEach(entry -> all.put(entry.order(), entry));
        more.stream()
                .filter(entry -> ReceivedEvent.LATER.compare(entry.order(), until) > 0)
                .forEach(entry -> all.putIfAbsent(entry.order(), entry));
        List<Entry> sorted = new ArrayList<>(all.values());
        List<Entry> old = sorted.subList(0, Math.max(0, sorted.size() - MAX_RECENT));
        List<Entry> kept = sorted.subList(old.size(), sorted.size());
        return new ProblemHistory(
                kind,
                course(before, old),
                old.isEmpty() ? until : old.get(old.size() - 1).order(),
                kept);
    }

    /** Returns the state after all steps. */
    ProblemCourse course() {
        return course(before, recent);
    }

    /** Returns the steps that concern all problems of an agent. The severity of the lifecycle is left out. */
    List<Entry> ofLife() {
        return recent.stream()
                .filter(entry -> entry.step().isOfLife())
                .map(entry -> Entry.of(entry.order(), entry.step()))
                .toList();
    }

    /** Returns the last step; {@link ProblemStep#ENDS} without any step. */
    ProblemStep last() {
        return recent.isEmpty()
                ? ProblemStep.ENDS
                : recent.get(recent.size() - 1).step();
    }

    /** Returns the time of the last step; {@link Instant#EPOCH} without any step. */
    Instant lastAt() {
        return recent.isEmpty() ? Instant.EPOCH : recent.get(recent.size() - 1).at();
    }

    private ProblemCourse course(ProblemCourse from, List<Entry> steps) {
        ProblemCourse course = from;
        for (Entry entry : steps) {
            course = course.after(kind, entry.step(), entry.at());
        }
        return course;
    }
}
