package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which problems exist after events, which may arrive late, twice or in any order. A death or a deregistration ends the agent's other
 * problems. After a death, the death itself is the problem.
 */
public final class ProblemRule {

    private ProblemRule() {}

    /** Returns the effect of an event on problems; empty if it has no effect, or is so old that it may have been counted already. */
    public static Optional<ProblemStep> step(ReceivedEvent event, Instant now) {
        boolean old = event.entry().at().isBefore(now.minus(SubjectProblem.CLOSED_RETENTION));
        return old || event.type().subject().problem().isEmpty() ? Optional.empty() : step(event);
    }

    private static Optional<ProblemStep> step(ReceivedEvent event) {
        NotificationEntry entry = event.entry();
        if (event.type() == EventType.AGENT_LIFECYCLE) {
            Optional<ProblemStep> ofLife = ofLife(event);
            if (ofLife.isPresent()) {
                return ofLife;
            }
        }
        if (event.type() == EventType.AGENT_DISMISSED) {
            return Optional.of(ProblemStep.DEPARTURE);
        }
        return switch (entry.kind()) {
            case PROBLEM -> event.partOf().isPresent() ? Optional.empty() : Optional.of(ProblemStep.BEGINS);
            case RECOVERY -> endsSomething(event) ? Optional.of(ProblemStep.ENDS) : Optional.empty();
            case NOTICE -> Optional.empty();
        };
    }

    private static Optional<ProblemStep> ofLife(ReceivedEvent event) {
        NotificationEntry entry = event.entry();
        if (entry.kind() == EventKind.NOTICE) {
            return Optional.empty();
        }
        boolean recovery = entry.kind() == EventKind.RECOVERY;
        return switch (WireNamed.find(LifecycleStatus.class, entry.to()).orElse(LifecycleStatus.REGISTERING)) {
            case DEAD -> Optional.of(recovery ? ProblemStep.DEPARTURE : ProblemStep.DEATH);
            case DEREGISTERED -> Optional.of(ProblemStep.DEPARTURE);
            default -> event.renewal() ? Optional.of(ProblemStep.RENEWAL) : Optional.empty();
        };
    }

    /** Returns whether an event can end a problem. An agent's first change to healthy ends nothing, so nothing is stored for it. */
    private static boolean endsSomething(ReceivedEvent event) {
        String from = event.entry().from();
        return switch (event.type()) {
            case AGENT_HEALTH ->
                WireNamed.find(HealthStatus.class, from)
                        .filter(Set.of(HealthStatus.DEGRADED, HealthStatus.UNHEALTHY)::contains)
                        .isPresent();
            case AGENT_SCORE ->
                WireNamed.find(ScoreState.class, from)
                        .filter(state -> state.severity() > 0)
                        .isPresent();
            default -> true;
        };
    }

    /** Returns the subjects that are needed to decide about an event: its own subject, and the lifecycle of its agent. */
    public static Set<String> subjects(ReceivedEvent event) {
        String subject = event.entry().subject();
        String group = group(event);
        return subject.equals(group) ? Set.of(subject) : Set.of(subject, group);
    }

    /** Returns the subject of the lifecycle of the event's agent; the event's own subject without an agent. */
    public static String group(ReceivedEvent event) {
        String agentId = event.entry().agentId();
        return agentId.isEmpty() ? event.entry().subject() : SubjectProblem.ofLifecycle(agentId);
    }

    /**
     * Returns the problems after events of one agent, or of one subject without an agent.
     *
     * @param known the problems of the {@link #subjects}; also of all other subjects of the agent if an event concerns all its problems
     */
    public static Map<String, SubjectProblem> after(
            Map<String, SubjectProblem> known, Collection<ReceivedEvent> events, Instant now) {
        Map<String, SubjectProblem> after = new HashMap<>(known);
        for (ReceivedEvent event : events) {
            step(event, now).ifPresent(step -> add(after, event, step));
        }
        return after;
    }

    private static void add(Map<String, SubjectProblem> problems, ReceivedEvent event, ProblemStep step) {
        NotificationEntry entry = event.entry();
        String subject = entry.subject();
        ProblemKind kind = event.type().subject().problem().orElseThrow();
        SubjectProblem problem = problems.getOrDefault(subject, SubjectProblem.none(subject, kind, entry.agentId()))
                .plus(event, step);
        problems.put(subject, problem);
        if (entry.agentId().isEmpty()) {
            return;
        }
        String ofLifecycle = SubjectProblem.ofLifecycle(entry.agentId());
        SubjectProblem ofAgent = problems.getOrDefault(
                ofLifecycle, SubjectProblem.none(ofLifecycle, ProblemKind.LIFECYCLE, entry.agentId()));
        if (kind != ProblemKind.LIFECYCLE) {
            problems.put(ofLifecycle, ofAgent.plusPart(subject));
            problems.put(subject, problem.plusLife(ofAgent.history().ofLife()));
        } else if (step.isOfLife()) {
            List<ProblemHistory.Entry> life = List.of(ProblemHistory.Entry.of(event.order(), step));
            ofAgent.parts().forEach(part -> problems.computeIfPresent(part, (name, other) -> other.plusLife(life)));
        }
    }

    /** Returns whether an event concerns all problems of its agent. */
    public static boolean isOfLife(ReceivedEvent event, Instant now) {
        return step(event, now).filter(ProblemStep::isOfLife).isPresent();
    }
}
