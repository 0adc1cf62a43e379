package dev.agenthealth.model.gateway;

import dev.agenthealth.model.profile.Expectations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The record of one invocation, kept for {@link #RETENTION} from its beginning.
 *
 * @param id of the receipt
 * @param agentId the agent that is invoked
 * @param keyId the key of the caller
 * @param asynchronous whether the caller did not wait
 * @param attempt number of this attempt to call the agent, from 1
 * @param timeout how long the agent may take
 * @param createdAt when the invocation was accepted
 * @param deadline after which no worker can still process it
 * @param trace the trace of the caller, which the agent continues
 * @param state how far it is
 */
public record Receipt(
        String id,
        String agentId,
        String keyId,
        boolean asynchronous,
        int attempt,
        Duration timeout,
        Instant createdAt,
        Instant deadline,
        TraceContext trace,
        ReceiptState state) {

    /** The time in which a receipt can be read and a duplicate delivery of its message is recognised. */
    public static final Duration RETENTION = Duration.ofDays(1);

    /** The maximum time of an attempt in the queue. */
    public static final Duration MAX_WAIT = Duration.ofMinutes(15);

    /** The pauses between attempts to reach the agent, in their order. */
    private static final List<Duration> PAUSES = List.of(Duration.ofSeconds(5), Duration.ofSeconds(30));

    /** The maximum number of attempts to reach the agent. */
    public static final int MAX_ATTEMPTS = PAUSES.size() + 1;

    /** A new receipt of a caller who waits: the agent is called at once. */
    public static Receipt synchronous(
            String id, String agentId, String keyId, Duration timeout, Instant now, Duration longestRun) {
        return new Receipt(
                id,
                agentId,
                keyId,
                false,
                1,
                timeout,
                now,
                now.plus(longestRun),
                TraceContext.NONE,
                new ReceiptState.Running());
    }

    /** A new receipt of a caller who does not wait. */
    public static Receipt asynchronous(String id, String agentId, String keyId, Duration timeout, Instant now) {
        return new Receipt(
                id,
                agentId,
                keyId,
                true,
                1,
                timeout,
                now,
                now.plus(MAX_WAIT),
                TraceContext.NONE,
                new ReceiptState.Accepted());
    }

    /** The receipt as part of a trace. */
    public Receipt in(TraceContext callers) {
        return new Receipt(id, agentId, keyId, asynchronous, attempt, timeout, createdAt, deadline, callers, state);
    }

    /** The receipt when a worker starts it. */
    public Receipt started(Instant now, Duration longestRun) {
        return with(attempt, now.plus(longestRun), new ReceiptState.Running());
    }

    /** The receipt when the message did not reach the agent and is to be sent again. */
    public Receipt postponed(Instant now) {
        return with(attempt + 1, now.plus(MAX_WAIT), new ReceiptState.Accepted());
    }

    /** The receipt of an invocation that is over. */
    public Receipt finished(ReceiptState.Finished end) {
        return with(attempt, deadline, end);
    }

    /** Returns whether another attempt may follow a failure of this one. */
    public boolean mayBeRepeatedAfter(InvocationFailure failure) {
        return asynchronous && failure.isSafeToRepeat() && attempt < MAX_ATTEMPTS;
    }

    /** The pause after this attempt, which may be followed by another one. */
    public Duration pause() {
        return PAUSES.get(attempt - 1);
    }

    /**
     * Returns whether the gateway counts the outcome of the invocation in the agent's health, now or when it ends.
     *
     * @param expected what the agent declares
     */
    public boolean isCounted(Expectations expected) {
        return !(state instanceof ReceiptState.Failed failed)
                || failed.failure().isEvidence(timeout, expected);
    }

    /** The time at which it expires. */
    public Instant expiresAt() {
        return createdAt.plus(RETENTION);
    }

    private Receipt with(int attempt, Instant deadline, ReceiptState state) {
        return new Receipt(id, agentId, keyId, asynchronous, attempt, timeout, createdAt, deadline, trace, state);
    }
}
