package dev.agenthealth.model.gateway;

import dev.agenthealth.model.RetryPauses;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The record of one invocation. It is kept for {@link #RETENTION} from its beginning.
 *
 * @param id the id of the receipt
 * @param agentId the invoked agent
 * @param keyId the key of the caller
 * @param terms the terms of the caller
 * @param createdAt the moment at which the invocation was accepted
 * @param progress the progress of the invocation
 * @param agentVersion the version that the agent declared when the invocation was accepted; empty without one
 */
public record Receipt(
        String id,
        String agentId,
        String keyId,
        Terms terms,
        Instant createdAt,
        Progress progress,
        String agentVersion) {

    /** The time for which a receipt can be read, and a duplicate delivery of its message is recognised. */
    public static final Duration RETENTION = Duration.ofDays(1);

    /** The maximum time that an attempt waits in the queue. */
    public static final Duration MAX_WAIT = Duration.ofMinutes(15);

    /** The pauses between attempts to reach the agent. An agent cannot ask for others. */
    private static final RetryPauses PAUSES =
            RetryPauses.of(Duration.ZERO, Duration.ofSeconds(5), Duration.ofSeconds(30));

    /** The maximum number of attempts to reach the agent. */
    public static final int MAX_ATTEMPTS = PAUSES.pauses().size() + 1;

    /**
     * The terms of a caller.
     *
     * @param asynchronous whether the caller does not wait
     * @param timeout the maximum time for the agent
     * @param trace the trace of the caller, which the agent continues
     * @param early whether the agent may answer at the beginning of its task
     */
    public record Terms(boolean asynchronous, Duration timeout, TraceContext trace, boolean early) {}

    /**
     * The progress of an invocation.
     *
     * @param attempt the number of the attempt to call the agent, from 1
     * @param deadline the moment after which no worker can still process the invocation
     * @param state the state of the invocation
     * @param result the result; empty until the end
     * @param counted whether the gateway counts the outcome in the agent's health
     */
    public record Progress(
            int attempt, Instant deadline, ReceiptState state, Optional<CallResult> result, boolean counted) {

        private static Progress of(ReceiptState state, Instant deadline) {
            return new Progress(1, deadline, state, Optional.empty(), true);
        }
    }

    /** Returns a new receipt for a caller that waits. The agent is called at once. */
    public static Receipt synchronous(
            String id,
            String agentId,
            String keyId,
            Duration timeout,
            TraceContext trace,
            Instant now,
            Duration longestRun) {
        Terms terms = new Terms(false, timeout, trace, false);
        return new Receipt(id, agentId, keyId, terms, now, Progress.of(ReceiptState.RUNNING, now.plus(longestRun)), "");
    }

    /** Returns a new receipt for a caller that does not wait. */
    public static Receipt asynchronous(
            String id, String agentId, String keyId, Duration timeout, TraceContext trace, Instant now) {
        Terms terms = new Terms(true, timeout, trace, false);
        return new Receipt(id, agentId, keyId, terms, now, Progress.of(ReceiptState.ACCEPTED, now.plus(MAX_WAIT)), "");
    }

    /** Returns this receipt with the version of the agent; it may be empty. */
    public Receipt ofVersion(String version) {
        return new Receipt(id, agentId, keyId, terms, createdAt, progress, version);
    }

    /** Returns this receipt for a caller that follows the agent's task, so that the agent may answer at the beginning of the task. */
    public Receipt early() {
        Terms early = new Terms(asynchronous(), timeout(), trace(), true);
        return new Receipt(id, agentId, keyId, early, createdAt, progress, agentVersion);
    }

    /** Returns the receipt after a worker started the attempt. */
    public Receipt started(Instant now, Duration longestRun) {
        return with(attempt(), now.plus(longestRun), ReceiptState.RUNNING, Optional.empty(), counted());
    }

    /** Returns the receipt after an attempt that did not reach the agent and will be repeated. */
    public Receipt postponed(Instant now) {
        return with(attempt() + 1, now.plus(MAX_WAIT), ReceiptState.ACCEPTED, Optional.empty(), counted());
    }

    /**
     * Returns the receipt after the end of the invocation.
     *
     * @param isCounted whether the outcome is evidence about the agent
     */
    public Receipt ended(CallResult end, boolean isCounted) {
        ReceiptState last = end.succeeded() ? ReceiptState.SUCCEEDED : ReceiptState.FAILED;
        return with(attempt(), deadline(), last, Optional.of(end), isCounted);
    }

    /** Returns whether another attempt may follow after a failure. */
    public boolean mayBeRepeatedAfter(InvocationFailure failure) {
        return asynchronous() && failure.isSafeToRepeat() && attempt() < MAX_ATTEMPTS;
    }

    /** Returns the pause between this attempt and the next one. */
    public Duration pause() {
        return PAUSES.after(attempt(), Duration.ZERO).orElseThrow();
    }

    /** Returns the moment at which the receipt expires. */
    public Instant expiresAt() {
        return createdAt.plus(RETENTION);
    }

    public boolean asynchronous() {
        return terms.asynchronous();
    }

    public Duration timeout() {
        return terms.timeout();
    }

    public TraceContext trace() {
        return terms.trace();
    }

    public int attempt() {
        return progress.attempt();
    }

    public Instant deadline() {
        return progress.deadline();
    }

    public ReceiptState state() {
        return progress.state();
    }

    public Optional<CallResult> result() {
        return progress.result();
    }

    public boolean counted() {
        return progress.counted();
    }

    private Receipt with(
            int attempt, Instant deadline, ReceiptState state, Optional<CallResult> result, boolean counted) {
        return new Receipt(
                id,
                agentId,
                keyId,
                terms,
                createdAt,
                new Progress(attempt, deadline, state, result, counted),
                agentVersion);
    }
}
