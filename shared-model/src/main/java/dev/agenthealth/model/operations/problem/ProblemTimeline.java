package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.problem.ProblemMoment.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Lists what happened to a problem: when it opened, got worse and was over, which rules notified whom, which silence held messages back, and what
 * people did. The list covers the recent steps of the subject, and therefore also its recent earlier problems.
 */
public final class ProblemTimeline {

    private ProblemTimeline() {}

    /** Returns the moments of a problem, the oldest first. */
    public static List<ProblemMoment> of(SubjectProblem problem) {
        List<ProblemMoment> moments = steps(problem.history());
        boolean hasBeginning = moments.stream()
                .anyMatch(moment -> moment.kind() == Kind.OPENED && moment.at().equals(problem.openedAt()));
        if (!hasBeginning && problem.occurrences() > 0) {
            moments.add(ProblemMoment.of(problem.openedAt(), Kind.OPENED));
        }
        moments.addAll(problem.notes());
        // An earlier version noted no actions of people.
        problem.acknowledged()
                .ifPresent(handling -> addMissing(moments, ProblemMoment.by(handling, Kind.ACKNOWLEDGED)));
        problem.dismissed().ifPresent(handling -> addMissing(moments, ProblemMoment.by(handling, Kind.DISMISSED)));
        moments.sort(Comparator.comparing(ProblemMoment::at));
        return List.copyOf(moments);
    }

    private static void addMissing(List<ProblemMoment> moments, ProblemMoment moment) {
        boolean known = moments.stream()
                .anyMatch(other -> other.at().equals(moment.at()) && other.id().equals(moment.id()));
        if (!known) {
            moments.add(moment);
        }
    }

    private static List<ProblemMoment> steps(ProblemHistory history) {
        List<ProblemMoment> moments = new ArrayList<>();
        ProblemCourse course = history.before();
        Optional<Severity> severity = Optional.empty();
        for (ProblemHistory.Entry entry : history.recent()) {
            ProblemCourse next = course.after(history.kind(), entry.step(), entry.at());
            if (next.isOpen() && !course.isOpen()) {
                moments.add(ProblemMoment.of(entry.at(), Kind.OPENED, known(entry.severity(), severity)));
            } else if (course.isOpen() && !next.isOpen()) {
                moments.add(ProblemMoment.of(entry.at(), Kind.OVER));
            } else if (next.isOpen()) {
                change(severity, entry.severity())
                        .ifPresent(kind -> moments.add(ProblemMoment.of(entry.at(), kind, entry.severity())));
            }
            severity = known(entry.severity(), severity);
            course = next;
        }
        return moments;
    }

    private static Optional<Severity> known(Optional<Severity> now, Optional<Severity> before) {
        return now.isPresent() ? now : before;
    }

    /** Returns whether a problem got worse or better; empty if its severity is the same or unknown. */
    private static Optional<Kind> change(Optional<Severity> before, Optional<Severity> after) {
        if (before.isEmpty() || after.isEmpty() || before.equals(after)) {
            return Optional.empty();
        }
        return Optional.of(after.get().compareTo(before.get()) < 0 ? Kind.WORSENED : Kind.EASED);
    }
}
