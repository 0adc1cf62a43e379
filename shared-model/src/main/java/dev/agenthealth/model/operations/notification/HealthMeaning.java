package dev.agenthealth.model.operations.notification;

import static dev.agenthealth.model.operations.notification.EventMeaning.notice;
import static dev.agenthealth.model.operations.notification.EventMeaning.problem;
import static dev.agenthealth.model.operations.notification.EventMeaning.recovery;

import dev.agenthealth.model.event.EventFields;
import dev.agenthealth.model.event.HealthEvents;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.Locale;

/** Decides about the meaning of changes of the health status and of the score. */
final class HealthMeaning {

    private HealthMeaning() {}

    /**
     * Returns the meaning of a health status. A change from a bad status to unknown counts as a recovery, as no other event would end the problem
     * if no execution follows.
     */
    static EventMeaning ofHealth(EventFields fields) {
        String agent = EventMeaning.agent(fields);
        boolean byLifecycle = isByLifecycle(fields);
        return switch (health(fields, "new_status")) {
            case HEALTHY -> recovery(Verdict.OK, agent + " works as declared.");
            case DEGRADED ->
                problem(
                        Verdict.DEGRADED,
                        agent
                                + (byLifecycle
                                        ? " is unhealthy: no sign of life arrives."
                                        : isByQuality(fields)
                                                ? " has results of lower quality than it declares."
                                                : " works worse than it declares."));
            case UNHEALTHY ->
                problem(Verdict.DOWN, agent + (byLifecycle ? " is dead." : " fails in most of its executions."));
            case UNKNOWN -> ofUnknown(agent, fields);
        };
    }

    private static EventMeaning ofUnknown(String agent, EventFields fields) {
        HealthStatus previous = health(fields, "previous_status");
        String sentence = agent
                + (fields.is("lifecycle_status", LifecycleStatus.DEREGISTERED)
                        ? " deregistered: its health is no longer measured."
                        : " has too few executions: its health is unknown.");
        return previous == HealthStatus.DEGRADED || previous == HealthStatus.UNHEALTHY
                ? recovery(Verdict.UNKNOWN, sentence)
                : notice(Verdict.UNKNOWN, sentence);
    }

    /** Returns whether the health changed because the agent's lifecycle status did. */
    static boolean isByLifecycle(EventFields fields) {
        return fields.text("reason").equals(HealthEvents.BY_LIFECYCLE);
    }

    private static boolean isByQuality(EventFields fields) {
        return fields.text(HealthEvents.LOW_QUALITY).equals("true");
    }

    private static HealthStatus health(EventFields fields, String name) {
        return fields.word(name, HealthStatus.class).orElse(HealthStatus.UNKNOWN);
    }

    static EventMeaning ofScore(EventFields fields) {
        ScoreState state = score(fields, "new_state");
        String sentence = EventMeaning.agent(fields) + " has a score that is "
                + state.name().toLowerCase(Locale.ROOT) + ".";
        return switch (state) {
            case HEALTHY -> recovery(Verdict.OK, sentence);
            case DEGRADED, UNHEALTHY -> problem(Verdict.DEGRADED, sentence);
            case INACTIVE -> score(fields, "previous_state").severity() > 0 ? recovery(sentence) : notice(sentence);
        };
    }

    private static ScoreState score(EventFields fields, String name) {
        return fields.word(name, ScoreState.class).orElse(ScoreState.INACTIVE);
    }
}
