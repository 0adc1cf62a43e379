package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;

/** A task that counts as load until it is closed. Its outcome is recorded if it is named. Thread-safe. */
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

    /** The task succeeded, after the time since it began. */
    public void succeeded() {
        end(Outcome.success());
    }

    /** The task failed, after the time since it began. */
    public void failed(ErrorType type) {
        end(Outcome.failure(type));
    }

    /** The task is over. Without {@link #succeeded} or {@link #failed} before, no outcome is recorded. */
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
        session.record(outcome.latency(Duration.ofNanos(nanos)));
        close();
    }
}
