package dev.agenthealth.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/**
 * An agent that the client keeps registered: it sends heartbeats in the background until the agent is drained, closed, replaced, or dead
 * for good. No method ends the agent's own work. Only {@link #lease} fails if the registry is unreachable. Thread-safe.
 *
 * <table>
 * <caption>Reactions to faults</caption>
 * <tr><th>event</th><th>what the client does</th></tr>
 * <tr><td>registry unreachable, at the start or later</td><td>retries with full jitter, at least once per interval; keeps the last 10,000
 * outcomes</td></tr>
 * <tr><td>key wrong or revoked (401), agent of another key (403), at the start or later</td><td>logs it, calls {@link
 * AgentBuilder#onRefused}, and retries once per interval with the current key of {@link
 * AgentHealthClientBuilder#apiKey(java.util.function.Supplier)}</td></tr>
 * <tr><td>410 {@code agent_gone}, as after a suspension beyond {@code dead_after_seconds}</td><td>leases are lost, the callback for the
 * death runs, then the agent registers again</td></tr>
 * <tr><td>410 {@code agent_gone} with {@code ended_by} {@code operator}</td><td>leases are lost, heartbeats stop, the callback for a drain runs,
 * and the agent ends ({@link AgentEnd#OPERATOR}), unless its policy is {@link DeathPolicy#ALWAYS_REGISTER_AGAIN}</td></tr>
 * <tr><td>410 {@code superseded}, or the id is in use after a death</td><td>stops for good ({@link AgentEnd#SUPERSEDED})</td></tr>
 * <tr><td>wrong clock</td><td>nothing depends on it; the registry warns of the drift</td></tr>
 * </table>
 */
public final class ManagedAgent implements AutoCloseable {

    private final AgentSession session;
    private final AgentShutdown shutdown;

    ManagedAgent(AgentSession session, AgentShutdown shutdown) {
        this.session = session;
        this.shutdown = shutdown;
    }

    /** Returns the id; empty until the registry has generated it. */
    public String agentId() {
        return session.agentId();
    }

    /** Returns the incarnation of the last registration; 0 before the first answer. */
    public long incarnation() {
        return session.incarnation();
    }

    /** Returns the state of the agent in this client. */
    public AgentState state() {
        return session.state();
    }

    /** Returns the time of the registry's last answer to a registration or a heartbeat, by this machine's clock. */
    public Optional<Instant> lastAnswerAt() {
        return session.lastAnswerAt();
    }

    /** Returns the failure of the last request; empty if it succeeded. */
    public Optional<AgentHealthException> lastFailure() {
        return session.lastFailure();
    }

    /** Returns the number of lost outcomes. Outcomes are lost if too many wait, or if the registry refuses them. */
    public long droppedOutcomes() {
        return session.droppedOutcomes();
    }

    /**
     * Sets the used part of the model's context. Heartbeats have it from now on.
     *
     * @param part from 0 to 1
     * @throws IllegalArgumentException for another number
     */
    public void contextUsed(double part) {
        session.contextUsed(Heartbeat.checkedPart(part));
    }

    /** Records the outcome of an execution. The next heartbeat carries it. */
    public void record(Outcome outcome) {
        session.record(outcome);
    }

    /** Begins a task that counts as load until it is closed. */
    public RunningTask begin() {
        return begin("");
    }

    /**
     * Begins a task that counts as load until it is closed.
     *
     * @param taskId the task's name in heartbeats: the id of a lease, of its intent or its scope, or an id of the agent's own
     */
    public RunningTask begin(String taskId) {
        return new RunningTask(session, taskId);
    }

    /**
     * Runs work as a task and records its outcome. An exception counts as a failure.
     *
     * @return the result of the work
     * @throws Exception the exception of the work
     */
    public <T> T call(Callable<T> work) throws Exception {
        RunningTask task = begin();
        try {
            T result = work.call();
            task.succeeded();
            return result;
        } catch (Throwable e) {
            task.failed(ErrorType.of(e));
            throw e;
        }
    }

    /** Runs work as a task and records its outcome. An exception counts as a failure. */
    public void run(Runnable work) {
        RunningTask task = begin();
        try {
            work.run();
            task.succeeded();
        } catch (Throwable e) {
            task.failed(ErrorType.of(e));
            throw e;
        }
    }

    /** Begins a call of a model within the innermost task or call of this thread. The call lasts until it is closed. */
    public Working model() {
        return call(Activities.Phase.MODEL);
    }

    /** Begins a call of a tool within the innermost task or call of this thread. The call lasts until it is closed. */
    public Working tool() {
        return Working.ofTool(session.activities(), session.activities().current());
    }

    /**
     * Begins a call of a tool within the innermost task or call of this thread. The call lasts until it is closed. A call that repeats an
     * earlier call of the task is no progress, and heartbeats report how often calls were repeated.
     *
     * @param arguments the arguments, compared by their hash codes; only a hash is kept
     */
    public Working tool(String name, Object... arguments) {
        return Working.ofTool(
                session.activities(), name, arguments, session.activities().current());
    }

    /** Begins a wait for a person within the innermost task or call of this thread. The wait lasts until it is closed. */
    public Working human() {
        return call(Activities.Phase.HUMAN);
    }

    /**
     * Begins a wait for a person within the innermost task or call of this thread. The wait lasts until it is closed.
     *
     * @param waitsFor the thing that the person has to do, such as {@code "approval of invoice 42"}, at most 200 characters. Callers
     *     who may read the agent's record see it
     */
    public Working human(String waitsFor) {
        return new Working(
                session.activities(),
                Activities.Phase.HUMAN,
                session.activities().current(),
                waitsFor);
    }

    private Working call(Activities.Phase phase) {
        return new Working(session.activities(), phase, session.activities().current());
    }

    /** Reports progress of the innermost task or call of this thread; does nothing if there is none. */
    public void progress() {
        Activities activities = session.activities();
        activities.current().ifPresent(activities::progress);
    }

    /** Reports this load from now on, instead of the number of begun tasks. */
    public void load(int tasks) {
        session.declareLoad(Math.max(0, tasks));
    }

    /** Returns a request for a lease on a scope of an intent; {@link LeaseRequest#acquire} sends it. */
    public LeaseRequest lease(String intentId, String scope) {
        return new LeaseRequest(session, intentId, scope);
    }

    /**
     * Begins to drain and returns at once. The callback for drains runs in the background, and heartbeats continue until the work is done.
     *
     * @param reason for the callback
     */
    public void drain(String reason) {
        session.drain(new Drain(Drain.Cause.CLOSE, reason, session.settings().closeTimeout()));
    }

    /** Returns a stage that completes when the client sends nothing more for the agent, and never exceptionally. */
    public CompletionStage<AgentEnd> whenEnded() {
        return session.ended().copy();
    }

    /** Drains and waits until the work is done, at most for {@link AgentBuilder#closeTimeout}. Never throws. */
    @Override
    public void close() {
        shutdown.close(List.of(session), Drain.Cause.CLOSE);
    }
}
