package dev.agenthealth.local.fleet;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.score.ScoreState;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How a simulated agent lives and how its executions go, and what the registry must therefore tell of it: the reasons of its lifecycle
 * events, in order, each in angle brackets, and its health.
 *
 * <p>All agents declare the same of themselves ({@link Declaration}), but not all work as declared.
 */
public enum Behaviour {
    /** Beats on time and executes nothing. */
    IDLE(Life.STEADY, Work.NONE, Reporting.BY_REQUEST, health(HealthStatus.UNKNOWN, ScoreState.INACTIVE)),

    /** Beats on time with a clock that is an hour off. */
    DRIFTING(Life.STEADY, Work.NONE, Reporting.BY_REQUEST, health(HealthStatus.UNKNOWN, ScoreState.INACTIVE)),

    /** Falls silent for longer than the unhealthy threshold, and goes on before it is dead; again and again. */
    PAUSING(
            "<registered>(<heartbeat_timeout><heartbeat_resumed>)+(<heartbeat_timeout>)?",
            Work.NONE,
            Reporting.BY_REQUEST,
            health(HealthStatus.UNKNOWN, ScoreState.INACTIVE)),

    /** Falls silent until it is dead, is refused, and registers again; again and again. */
    CRASHING(
            "<registered>(<heartbeat_timeout><heartbeat_timeout><re_registered>)+(<heartbeat_timeout>){0,2}",
            Work.NONE,
            Reporting.BY_REQUEST,
            health(HealthStatus.UNKNOWN, ScoreState.INACTIVE)
                    .or(HealthStatus.UNHEALTHY.word(), ScoreState.INACTIVE.word())),

    /** Announces that it leaves, finishes its tasks, is deregistered, and registers again; again and again. */
    DRAINING(
            "<registered>(<drain_initiated><drain_completed><re_registered>)+(<drain_initiated>(<drain_completed>)?)?",
            Work.NONE,
            Reporting.BY_REQUEST,
            health(HealthStatus.UNKNOWN, ScoreState.INACTIVE).or(ExpectedHealth.GONE, ExpectedHealth.GONE)),

    /** Works as declared. */
    FAST(
            Life.STEADY,
            Work.perWindow(120).succeeding(8),
            Reporting.BY_REQUEST,
            health(HealthStatus.HEALTHY, ScoreState.HEALTHY)),

    /** Succeeds always, but takes more than three times as long as declared. */
    SLOW(
            Life.STEADY,
            Work.perWindow(120).succeedingSlowly(6),
            Reporting.BY_REQUEST,
            health(HealthStatus.DEGRADED, ScoreState.DEGRADED)),

    /** Fails one time in ten, each time in another way. */
    FLAKY(Life.STEADY, tenPercentErrors(), Reporting.BY_REQUEST, health(HealthStatus.DEGRADED, ScoreState.DEGRADED)),

    /** Fails three times in five, breaches its SLA, and sometimes is not even started. */
    FAILING(
            Life.STEADY,
            Work.perWindow(126)
                    .succeeding(8)
                    .breaching(2, ErrorType.CLIENT_ERROR, 20)
                    .failing(6, ErrorType.SERVER_ERROR, 90)
                    .failing(2, ErrorType.MALFORMED, 70)
                    .failing(2, ErrorType.OTHER, 50)
                    .failingToStart(),
            Reporting.BY_REQUEST,
            health(HealthStatus.UNHEALTHY, ScoreState.UNHEALTHY)),

    /** Beats, but none of its executions comes to an end before it times out. */
    HUNG(
            Life.STEADY,
            Work.perWindow(120).failing(1, ErrorType.TIMEOUT, 30_000),
            Reporting.BY_REQUEST,
            health(HealthStatus.UNHEALTHY, ScoreState.UNHEALTHY)),

    /** Works as declared until it falls silent for good. Its score is of what it did, as long as that counts. */
    SILENT(
            "<registered>(<heartbeat_timeout>){0,2}",
            Work.perWindow(120).succeeding(8),
            Reporting.BY_REQUEST,
            health(HealthStatus.UNHEALTHY, ScoreState.HEALTHY)
                    .or(HealthStatus.UNHEALTHY.word(), ScoreState.INACTIVE.word())),

    /** Works as declared until it changes its model. */
    DECLINING(
            Life.STEADY,
            Work.perWindow(120).succeeding(8),
            Reporting.BY_REQUEST,
            health(HealthStatus.DEGRADED, ScoreState.UNHEALTHY)),

    /** Executes too little for anything to be known; what it has of a score is hardly believed. */
    SELDOM(
            Life.STEADY,
            Work.perWindow(5).succeeding(4).failing(1, ErrorType.SERVER_ERROR, 50),
            Reporting.BY_REQUEST,
            health(HealthStatus.UNKNOWN, ScoreState.HEALTHY)),

    /** Fails one time in ten, and serves one natural person, so that not everybody is shown as much. */
    PERSONAL(
            Life.STEADY,
            tenPercentErrors(),
            Reporting.BY_REQUEST,
            health(HealthStatus.DEGRADED, ScoreState.DEGRADED).shownAs(HealthStatus.HEALTHY.word())),

    /** Executes much, as declared, and reports with its heartbeats. */
    BUSY(
            Life.STEADY,
            Work.perWindow(360).succeeding(39).failing(1, ErrorType.SERVER_ERROR, 50),
            Reporting.ON_HEARTBEATS,
            health(HealthStatus.HEALTHY, ScoreState.HEALTHY)),

    /** Works as declared, and the coordinator that uses it says so. */
    COORDINATED(
            Life.STEADY,
            Work.perWindow(120).succeeding(29).failing(1, ErrorType.OTHER, 60),
            Reporting.BY_COORDINATOR,
            health(HealthStatus.HEALTHY, ScoreState.HEALTHY)),

    /** Works as declared, and sends every report twice, since the first answer is lost. */
    REPEATING(
            Life.STEADY,
            Work.perWindow(120).succeeding(39).failing(1, ErrorType.CLIENT_ERROR, 40),
            Reporting.BY_REQUEST_LOSING_ANSWERS,
            health(HealthStatus.HEALTHY, ScoreState.HEALTHY));

    private final Pattern reasons;
    private final Work work;
    private final Reporting reporting;
    private final ExpectedHealth expected;

    Behaviour(String reasons, Work work, Reporting reporting, ExpectedHealth expected) {
        this.reasons = Pattern.compile(reasons);
        this.work = work;
        this.reporting = reporting;
        this.expected = expected;
    }

    /** The name as it is printed and as it is part of agent ids. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether lifecycle events with these reasons, each in angle brackets, are what this behaviour implies. */
    public boolean explains(String given) {
        return reasons.matcher(given).matches();
    }

    /** How its executions go. */
    Work work() {
        return work;
    }

    /** How they go on the model that an agent of this behaviour changes to. */
    Work workOnNextModel() {
        return Work.perWindow(120)
                .succeeding(3)
                .failing(1, ErrorType.SERVER_ERROR, 600)
                .failing(1, ErrorType.MALFORMED, 620);
    }

    Reporting reporting() {
        return reporting;
    }

    boolean isPersonal() {
        return this == PERSONAL;
    }

    /** The health that this behaviour implies. */
    ExpectedHealth expected() {
        return expected;
    }

    /** The behaviour of the agent with this number: of twenty agents four are fast, and one is of each other kind. */
    static Behaviour ofNumber(int number) {
        int place = number % 20;
        return place < values().length ? values()[place] : FAST;
    }

    private static Work tenPercentErrors() {
        return Work.perWindow(120)
                .succeeding(9)
                .failing(1, ErrorType.CLIENT_ERROR, 20)
                .succeeding(9)
                .failing(1, ErrorType.SERVER_ERROR, 50)
                .succeeding(9)
                .failing(1, ErrorType.TIMEOUT, 900)
                .succeeding(9)
                .failing(1, ErrorType.MALFORMED, 90);
    }

    private static ExpectedHealth health(HealthStatus status, ScoreState state) {
        return ExpectedHealth.of(status.word(), state.word());
    }

    /** What happens to an agent that lives through it all. */
    private static final class Life {

        static final String STEADY = "<registered>";

        private Life() {}
    }
}
