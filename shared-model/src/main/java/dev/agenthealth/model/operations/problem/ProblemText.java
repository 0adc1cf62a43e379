package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.registry.lifecycle.Activity;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.PublishedFindings;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.SharedUsage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The short texts of a problem, with the values of now.
 *
 * @param title the name of the subject
 * @param label the state in one or two words
 * @param reason the reason in one short sentence; its times are in the form of RFC 3339
 */
public record ProblemText(String title, String label, String reason) {

    /**
     * The present state of the subject of a problem.
     *
     * @param pulse the row of the agent; empty without an agent, or for an archived agent
     * @param health the summary of the agent's health
     * @param pool the pool of the role; empty unless the problem is about a pool
     */
    public record Now(Optional<Pulse> pulse, HealthSummary health, Optional<PoolNow> pool) {

        /** The state of an unknown subject. */
        public static final Now UNKNOWN = new Now(Optional.empty(), HealthSummary.NONE, Optional.empty());
    }

    /**
     * The present state of a pool.
     *
     * @param active the number of active agents
     * @param minimum the wanted number of agents
     */
    public record PoolNow(long active, long minimum) {}

    /** The beginning of a sentence that repeats the label, such as {@code is dead:}. */
    private static final Pattern IS = Pattern.compile("^is [a-z ]+: ");

    /** Returns the texts of a problem. */
    public static ProblemText of(SubjectProblem problem, Now now) {
        return new ProblemText(title(problem), label(problem, now), reason(problem, now));
    }

    private static String title(SubjectProblem problem) {
        if (!problem.agentId().isEmpty()) {
            return problem.agentId();
        }
        if (!problem.providerId().isEmpty()) {
            return "Provider " + problem.providerId();
        }
        if (problem.kind() == ProblemKind.UPSTREAM) {
            return "Model provider " + problem.subject().substring(UpstreamProblem.SUBJECT_PREFIX.length());
        }
        if (problem.kind() == ProblemKind.VERSION) {
            return "Version " + problem.subject().substring(problem.subject().indexOf('/') + 1) + " of pool "
                    + problem.roleId();
        }
        if (problem.kind() == ProblemKind.USAGE) {
            return LimitHolder.of(problem.subject().substring(SharedUsage.SUBJECT_PREFIX.length()))
                    .map(ProblemText::title)
                    .orElse("Registry");
        }
        return problem.stop()
                .map(ProblemText::title)
                .orElseGet(() -> problem.roleId().isEmpty() ? "Registry" : "Pool " + problem.roleId());
    }

    private static String title(StopScope stop) {
        return switch (stop.kind()) {
            case AGENT -> "Stop of agent " + stop.id();
            case ROLE -> "Stop of role " + stop.id();
            case KEY -> "Stop of owner " + stop.id();
            case ALL -> "Stop of all agents";
        };
    }

    private static String title(LimitHolder holder) {
        return (holder.kind() == LimitHolder.Kind.ROLE ? "Role " : "Owner ") + holder.id();
    }

    private static String label(SubjectProblem problem, Now now) {
        boolean isError = problem.severity().compareTo(Severity.ERROR) <= 0;
        return switch (problem.kind()) {
            case LIFECYCLE -> problem.isDeath() ? "dead" : "silent";
            case HEALTH -> isError ? "fails" : "degraded";
            case SCORE -> "low score";
            case STALL -> "stalled";
            case WAITING -> "waits for a person";
            case LOOP -> "looping";
            case USAGE -> "over its limit";
            case GHOST -> "active while gone";
            case RUN -> "run failed";
            case CLOCK_DRIFT -> "wrong clock";
            case DRAIN_TIMEOUT -> "drain timed out";
            case CERTIFICATE -> "certificate ends";
            case DECLARATION -> "declaration changed";
            case BLOCK -> problem.stop().isPresent() ? "stopped" : "blocked";
            case POOL ->
                now.pool()
                        .map(pool -> pool.active() + " of " + pool.minimum() + " needed")
                        .orElse("below minimum");
            case VERSION -> "worse version";
            case UPSTREAM -> "fails upstream";
            case REGISTRY -> "needs attention";
        };
    }

    private static String reason(SubjectProblem problem, Now now) {
        return switch (problem.kind()) {
            case STALL -> now.pulse().flatMap(ProblemText::stalled).orElseGet(() -> ofEvent(problem));
            case WAITING -> now.pulse().flatMap(ProblemText::waiting).orElseGet(() -> ofEvent(problem));
            case LOOP -> now.pulse().flatMap(ProblemText::looping).orElseGet(() -> ofEvent(problem));
            case SCORE ->
                now.health().isInactive()
                        ? ofEvent(problem)
                        : "Score "
                                + BigDecimal.valueOf(now.health().hundredths(), HealthSummary.DECIMALS)
                                        .setScale(1, RoundingMode.HALF_UP)
                                        .stripTrailingZeros()
                                        .toPlainString()
                                + " of 100.";
            case LIFECYCLE ->
                now.pulse()
                        .filter(pulse ->
                                pulse.status() == LifecycleStatus.UNHEALTHY || pulse.status() == LifecycleStatus.DEAD)
                        .filter(pulse -> problem.summary().contains("no heartbeat"))
                        .map(pulse -> (pulse.heartbeatCount() > 0
                                        ? "Last heartbeat "
                                        : "No heartbeat since the registration at ")
                                + Timestamps.text(pulse.lastHeartbeatAt()) + ".")
                        .orElseGet(() -> ofEvent(problem));
            case POOL ->
                now.pool()
                        .map(pool ->
                                (pool.active() == 1 ? "1 agent is" : pool.active() + " agents are") + " active, and "
                                        + (pool.minimum() == 1 ? "1 is" : pool.minimum() + " are") + " needed.")
                        .orElseGet(() -> ofEvent(problem));
            default -> ofEvent(problem);
        };
    }

    private static Optional<String> stalled(Pulse pulse) {
        if (!StallRule.isStalled(pulse)) {
            return Optional.empty();
        }
        Activity activity = pulse.activity();
        return Optional.of("No progress " + activity.phase().place() + " since "
                + Timestamps.text(activity.lastProgressAt())
                + pulse.config()
                        .stall()
                        .after(activity.phase())
                        .map(declared -> ", declared " + declared.toSeconds() + " s")
                        .orElse("")
                + ".");
    }

    private static Optional<String> waiting(Pulse pulse) {
        return Optional.of(pulse.publishedWait())
                .filter(PublishedFindings.NO_WAIT::isBefore)
                .map(since -> "Has been waiting for a person since " + Timestamps.text(since) + ".");
    }

    private static Optional<String> looping(Pulse pulse) {
        Repetition repetition = LoopRule.repetition(pulse);
        return LoopRule.since(pulse)
                .filter(since -> pulse.loop().isOpen())
                .map(since -> "Repeats the same calls"
                        + (repetition.tool().isEmpty() ? "" : " of tool " + repetition.tool())
                        + " since " + Timestamps.text(since) + ": " + repetition.repeats()
                        + " repetitions so far, declared "
                        + pulse.config().loop().maxRepeats() + ".");
    }

    /** Returns the sentence of the event that began the problem, without the subject. */
    private static String ofEvent(SubjectProblem problem) {
        String subject = problem.agentId().isEmpty() ? title(problem) : "Agent " + problem.agentId();
        String rest = problem.summary().startsWith(subject + " ")
                ? problem.summary().substring(subject.length() + 1)
                : problem.summary();
        rest = IS.matcher(rest).replaceFirst("");
        return rest.isEmpty() ? rest : rest.substring(0, 1).toUpperCase(Locale.ROOT) + rest.substring(1);
    }
}
