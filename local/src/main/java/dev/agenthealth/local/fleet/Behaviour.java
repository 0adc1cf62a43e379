package dev.agenthealth.local.fleet;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.outcome.ErrorType;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The behaviour of a simulated agent: its heartbeats, its executions, and the expected view of the registry. That view consists of the
 * reasons of its lifecycle events, in order and in angle brackets, and of its health. All agents declare the same expectations ({@link
 * Declaration}).
 */
public enum Behaviour {
    /** Sends heartbeats on time and executes nothing. */
    IDLE(Reasons.STEADY, Work.NONE, Reporting.BY_REQUEST, health(HealthStatus.UNKNOWN, ScoreState.INACTIVE)),

    /** Sends heartbeats on time with a clock that is an hour ahead. */
    DRIFTING(Reasons.STEADY, Work.NONE, Reporting.BY_REQUEST, health(HealthStatus.UNKNOWN, ScoreState.INACTIVE)),

    /** Repeatedly pauses for longer than the unhealthy threshold and resumes before it is dead. */
    PAUSING(
            "<registered>(<heartbeat_timeout><heartbeat_resumed>)+(<heartbeat_timeout>)?",
            Work.NONE,
            Reporting.BY_REQUEST,
            health(HealthStatus.UNKNOWN, ScoreState.INACTIVE)),

    /** Repeatedly stops its heartbeats until it is dead, is refused, and registers again. */
    CRASHING(
            "<registered>(<heartbeat_timeout><heartbeat_timeout><re_registered>)+(<heartbeat_timeout>){0,2}",
            Work.NONE,
            Reporting.BY_REQUEST,
            health(HealthStatus.UNKNOWN, ScoreState.INACTIVE)
                    .or(HealthStatus.UNHEALTHY.wireName(), ScoreState.INACTIVE.wireName())),

    /** Repeatedly drains, finishes its tasks, is deregistered, and registers again. */
    DRAINING(
            "<registered>(<drain_initiated><drain_completed><re_registered>)+(<drain_initiated>(<drain_completed>)?)?",
            Work.NONE,
            Reporting.BY_REQUEST,
            health(HealthStatus.UNKNOWN, ScoreState.INACTIVE).or(ExpectedHealth.GONE, ExpectedHealth.GONE)),

    /** Works as declared. */
    FAST(
            Reasons.STEADY,
            Work.perWindow(120).succeeding(8),
            Reporting.BY_REQUEST,
            health(HealthStatus.HEALTHY, ScoreState.HEALTHY)),

    /** Always succeeds, and takes more than three times the declared runtime. */
    SLOW(
            Reasons.STEADY,
            Work.perWindow(120).succeedingSlowly(6),
            Reporting.BY_REQUEST,
            health(HealthStatus.DEGRADED, ScoreState.DEGRADED)),

    /** Fails one time in ten, with different errors. */
    FLAKY(Reasons.STEADY, tenPercentErrors(), Reporting.BY_REQUEST, health(HealthStatus.DEGRADED, ScoreState.DEGRADED)),

    /** Fails three times in five, breaches its SLA, and sometimes fails to start. */
    FAILING(
            Reasons.STEADY,
            Work.perWindow(126)
                    .succeeding(8)
                    .breaching(2, ErrorType.CLIENT_ERROR, 20)
                    .failing(6, ErrorType.SERVER_ERROR, 90)
                    .failing(2, ErrorType.MALFORMED, 70)
                    .failing(2, ErrorType.OTHER, 50)
                    .failingToStart(),
            Reporting.BY_REQUEST,
            health(HealthStatus.UNHEALTHY, ScoreState.UNHEALTHY)),

    /** Sends heartbeats while every execution times out. */
    HUNG(
            Reasons.STEADY,
            Work.perWindow(120).failing(1, ErrorType.TIMEOUT, 30_000),
            Reporting.BY_REQUEST,
            health(HealthStatus.UNHEALTHY, ScoreState.UNHEALTHY)),

    /** Works as declared until it stops its heartbeats for ever. Its score is computed from its outcomes in the window. */
    SILENT(
            "<registered>(<heartbeat_timeout>){0,2}",
            Work.perWindow(120).succeeding(8),
            Reporting.BY_REQUEST,
            health(HealthStatus.UNHEALTHY, ScoreState.HEALTHY)
                    .or(HealthStatus.UNHEALTHY.wireName(), ScoreState.INACTIVE.wireName())),

    /** Works as declared until it changes its model. */
    DECLINING(
            Reasons.STEADY,
            Work.perWindow(120).succeeding(8),
            Reporting.BY_REQUEST,
            health(HealthStatus.DEGRADED, ScoreState.UNHEALTHY)),

    /** Executes too little for a health status; its score has low confidence. */
    SELDOM(
            Reasons.STEADY,
            Work.perWindow(5).succeeding(4).failing(1, ErrorType.SERVER_ERROR, 50),
            Reporting.BY_REQUEST,
            health(HealthStatus.UNKNOWN, ScoreState.HEALTHY)),

    /** Fails one time in ten as a personal agent. Its public document shows less. */
    PERSONAL(
            Reasons.STEADY,
            tenPercentErrors(),
            Reporting.BY_REQUEST,
            health(HealthStatus.DEGRADED, ScoreState.DEGRADED).shownAs(HealthStatus.HEALTHY.wireName())),

    /** Executes much as declared, and reports with its heartbeats. */
    BUSY(
            Reasons.STEADY,
            Work.perWindow(360).succeeding(39).failing(1, ErrorType.SERVER_ERROR, 50),
            Reporting.ON_HEARTBEATS,
            health(HealthStatus.HEALTHY, ScoreState.HEALTHY)),

    /** Works as declared, reported by a coordinator. */
    COORDINATED(
            Reasons.STEADY,
            Work.perWindow(120).succeeding(29).failing(1, ErrorType.OTHER, 60),
            Reporting.BY_COORDINATOR,
            health(HealthStatus.HEALTHY, ScoreState.HEALTHY)),

    /** Works as declared, and sends every report twice because the first answer is lost. */
    REPEATING(
            Reasons.STEADY,
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

    /** Returns the name in reports and agent ids. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns true if lifecycle events with these reasons, each in angle brackets, match this behaviour. */
    public boolean matches(String given) {
        return reasons.matcher(given).matches();
    }

    /** Returns its executions. */
    Work work() {
        return work;
    }

    /** Returns its executions after a change of model. */
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

    /** Returns the health that this behaviour leads to. */
    ExpectedHealth expected() {
        return expected;
    }

    /** Returns the behaviour of the agent with this number. Of twenty agents, four are fast, and each other behaviour occurs once. */
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
        return ExpectedHealth.of(status.wireName(), state.wireName());
    }

    /** The reasons that several behaviours share. */
    private static final class Reasons {

        static final String STEADY = "<registered>";

        private Reasons() {}
    }
}
