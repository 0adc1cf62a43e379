package dev.agenthealth.model.health.trust;

import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import java.time.Duration;
import java.time.Instant;

/**
 * The part of a block that a rule wrote: when and how the block ends by itself. After {@code trialsFrom}, the gateway lets some trial calls through
 * (half open). If all succeed, the block ends. If one fails, the agent stays blocked for twice as long.
 *
 * @param rule the name of the rule; empty if a person decided
 * @param period the time between the block and its trial calls
 * @param trialCalls the number of trial calls
 * @param trialsFrom the time from which trial calls are let through
 * @param tried the trial calls that were let through
 */
public record Containment(String rule, Duration period, int trialCalls, Instant trialsFrom, Trials tried) {

    /** No containment: a person decided. */
    public static final Containment NONE = new Containment("", Duration.ZERO, 0, Instant.EPOCH, Trials.NONE);

    /** The time after which a trial call without a result no longer counts, as its process was killed. */
    public static final Duration MAX_TRIAL = Duration.ofMinutes(20);

    /** The maximum time between a block and its trial calls. A block that was extended after failed trials lasts no longer either. */
    public static final Duration MAX_PERIOD = Duration.ofDays(1);

    private static final String ACTOR_PREFIX = "containment/";

    /**
     * The trial calls that were let through.
     *
     * @param begun the number of calls that began
     * @param succeeded the number of calls that succeeded
     * @param lastAt the beginning of the last call; {@link Instant#EPOCH} without a call
     */
    public record Trials(int begun, int succeeded, Instant lastAt) {

        public static final Trials NONE = new Trials(0, 0, Instant.EPOCH);
    }

    /** Returns the containment of an agent that a rule blocks now, for {@code period} before its trial calls. */
    public static Containment by(String rule, Duration period, int trialCalls, Instant now) {
        return new Containment(rule, period, trialCalls, now.plus(period), Trials.NONE);
    }

    /** Returns whether a rule decided. */
    public boolean isByRule() {
        return !rule.isEmpty();
    }

    /** Returns the author of the decisions of the rule. No key has this id. */
    public String actor() {
        return ACTOR_PREFIX + rule;
    }

    /** Returns whether the author of a decision is a person, not a rule or a limit. */
    static boolean isPerson(String actor) {
        return !actor.isEmpty() && !actor.startsWith(ACTOR_PREFIX) && !actor.equals(PendingDrain.REGISTRY);
    }

    /** Returns whether the gateway lets a trial call through now. */
    public boolean mayTry(Instant now) {
        return isByRule() && !now.isBefore(trialsFrom) && (tried.begun() < trialCalls || isAbandoned(now));
    }

    private boolean isAbandoned(Instant now) {
        return !now.isBefore(tried.lastAt().plus(MAX_TRIAL));
    }

    /** Returns the containment after a trial call began. If earlier calls have no result for too long, they count no more. */
    public Containment trying(Instant now) {
        int before = tried.begun() < trialCalls ? tried.begun() : tried.succeeded();
        return with(new Trials(before + 1, tried.succeeded(), now));
    }

    /** Returns the containment after a trial call succeeded. */
    public Containment succeeded() {
        return with(new Trials(tried.begun(), tried.succeeded() + 1, tried.lastAt()));
    }

    /** Returns the containment after a trial call ended without a result about the agent. Another call may follow. */
    public Containment undecided() {
        return with(new Trials(Math.max(tried.succeeded(), tried.begun() - 1), tried.succeeded(), tried.lastAt()));
    }

    /** Returns whether all trial calls succeeded. */
    public boolean isOver() {
        return tried.succeeded() >= trialCalls;
    }

    /** Returns the containment after a trial call failed: it lasts twice as long, and at most a day. */
    public Containment failed(Instant now) {
        Duration twice = period.multipliedBy(2);
        Duration next = twice.compareTo(MAX_PERIOD) < 0 ? twice : MAX_PERIOD;
        return new Containment(rule, next, trialCalls, now.plus(next), Trials.NONE);
    }

    private Containment with(Trials trials) {
        return new Containment(rule, period, trialCalls, trialsFrom, trials);
    }
}
