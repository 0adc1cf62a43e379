package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.ProblemKind;
import java.time.Instant;

/**
 * The state that results from the steps of a subject.
 *
 * @param open whether a problem began and has not ended; it is hidden while the agent is gone
 * @param gone whether the agent is dead or has left; nothing opens until it registers again
 * @param openedAt the beginning of the last problem; {@link Instant#EPOCH} without one
 * @param closedAt the end of the previous problem; {@link Instant#EPOCH} without one
 * @param occurrences the number of problems so far
 */
public record ProblemCourse(boolean open, boolean gone, Instant openedAt, Instant closedAt, int occurrences) {

    /** The state before the first step. */
    public static final ProblemCourse NONE = new ProblemCourse(false, false, Instant.EPOCH, Instant.EPOCH, 0);

    /** Returns the state after one more step, which happened later than all earlier steps. */
    ProblemCourse after(ProblemKind kind, ProblemStep step, Instant at) {
        boolean ofLifecycle = kind == ProblemKind.LIFECYCLE;
        return switch (step) {
            case BEGINS -> gone ? begunWhileGone(kind, at) : opened(at);
            case ENDS -> closed(at, gone);
            case DEATH ->
                switch (kind) {
                    case LIFECYCLE -> opened(at);
                    case HEALTH, SCORE -> hidden(at);
                    case STALL, WAITING, LOOP, RUN, CLOCK_DRIFT, DRAIN_TIMEOUT -> closed(at, true);
                    default -> this;
                };
            case DEPARTURE ->
                switch (kind) {
                    // A process may go on after its agent is gone.
                    case BLOCK, GHOST -> this;
                    // A restart is a departure and a renewal, and no event says that these problems go on.
                    case HEALTH, SCORE, DECLARATION, CERTIFICATE -> hidden(at);
                    default -> closed(at, !ofLifecycle);
                };
            case RENEWAL ->
                switch (kind) {
                    // The next process has another clock, and runs and drains on its own.
                    case LIFECYCLE, RUN, CLOCK_DRIFT, DRAIN_TIMEOUT -> closed(at, false);
                    default ->
                        new ProblemCourse(open, false, openedAt, closedAt, occurrences + (isBegunWhileGone() ? 1 : 0));
                };
        };
    }

    /** Returns whether there is a problem now. */
    public boolean isOpen() {
        return open && !gone;
    }

    /**
     * Returns the state after a problem that began while the agent was gone, as executions may be reported late. The problem still holds when the
     * agent registers again, and no other event says so.
     */
    private ProblemCourse begunWhileGone(ProblemKind kind, Instant at) {
        boolean goesOn = kind == ProblemKind.HEALTH || kind == ProblemKind.SCORE;
        return open || !goesOn ? this : new ProblemCourse(true, true, at, closedAt, occurrences);
    }

    /** Returns whether the problem began while the agent was gone, and was never shown. */
    private boolean isBegunWhileGone() {
        return open && gone && openedAt.isAfter(closedAt);
    }

    private ProblemCourse hidden(Instant at) {
        return new ProblemCourse(open, true, openedAt, isOpen() ? at : closedAt, occurrences);
    }

    private ProblemCourse opened(Instant at) {
        return open ? this : new ProblemCourse(true, gone, at, closedAt, occurrences + 1);
    }

    private ProblemCourse closed(Instant at, boolean nowGone) {
        return new ProblemCourse(false, nowGone, openedAt, isOpen() ? at : closedAt, occurrences);
    }
}
