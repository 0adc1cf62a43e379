package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;

/**
 * A task that counts as load until it is closed. Its outcome is recorded if {@link #succeeded} or {@link #failed} is called. Thread-safe.
 */
public final class RunningTask extends Working {

    private final AgentSession session;
    private final String taskId;
    private final long startedAt;
    private boolean named;
    private boolean closed;

    RunningTask(AgentSession session, String taskId) {
        super(session.activities(), Activities.Phase.OTHER, Optional.empty());
        this.session = session;
        this.taskId = taskId;
        this.startedAt = session.context().scheduler().nanoTime();
        session.beginTask(taskId);
    }

    /** Records a success with the time since the task began. */
    public void succeeded() {
        end(Outcome.success());
    }

    /** Records a failure with the time since the task began. */
    public void failed(ErrorType type) {
        end(Outcome.failure(type));
    }

    /** Records a failure because of a model provider, with the time since the task began. */
    public void failed(Upstream upstream) {
        end(Outcome.failure(ErrorType.UPSTREAM).upstream(upstream));
    }

    /** Ends the task. Without an earlier {@link #succeeded} or {@link #failed}, no outcome is recorded. */
    @Override
    public void close() {
        synchronized (session) {
            if (closed) {
                return;
            }
            closed = true;
        }
        super.close();
        session.endTask(taskId);
    }

    private void end(Outcome outcome) {
        synchronized (session) {
            if (named || closed) {
                return;
            }
            named = true;
        }
        long nanos = session.context().scheduler().nanoTime() - startedAt;
        Outcome timed = outcome.latency(Duration.ofNanos(nanos));
        session.record(usage().map(timed::usage).orElse(timed));
        close();
    }
}
