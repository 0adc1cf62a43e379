package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An agent that runs only while it is called, such as a function on AWS Lambda or a container on Cloud Run. Thread-safe.
 *
 * <p>Its first call registers it. Each call reports its outcome before its caller gets the answer. All processes of the platform are one
 * agent: no process replaces or deregisters another. Between calls nothing is sent, and missing heartbeats are no fault unless the
 * registration has a schedule.
 *
 * <p>An unreachable registry never fails a call, and delays an answer only now and then, by a second at most. After a failure the next
 * attempt waits up to a minute, and the last 10,000 outcomes wait in the process. After an operator ended the agent, this process reports
 * nothing more, unless its policy is {@link DeathPolicy#ALWAYS_REGISTER_AGAIN}.
 */
public final class CalledAgent {

    /** The work of one call. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {

        T call() throws E;
    }

    private static final Duration MAX_DELAY = Duration.ofSeconds(1);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(60);
    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final Duration NO_LIMIT = Duration.ofDays(365);
    private static final System.Logger LOG = System.getLogger("dev.agenthealth.client");

    private final ClientContext context;
    private final Registration registration;
    private final DeathPolicy policy;
    private final ServerTime time = new ServerTime();
    private final OutcomeQueue queue = new OutcomeQueue(time);
    private final ThreadLocal<TaskUsage> usage = new ThreadLocal<>();
    private Optional<CompletableFuture<Void>> sending = Optional.empty();
    private boolean registered;
    private boolean stopped;
    private int failures;
    private long retryAt;

    CalledAgent(ClientContext context, Registration declared, DeathPolicy policy) {
        this.context = context;
        this.policy = policy;
        boolean scheduled = declared.json().path("heartbeat_config").has("schedule");
        this.registration = (scheduled ? declared : declared.onlyCalled()).signsOfLife("outcomes");
        this.retryAt = context.scheduler().nanoTime();
    }

    /** Does the work of a call and reports its outcome. An exception counts as a failure. */
    public <T, E extends Exception> T call(Work<T, E> work) throws E {
        return call(NO_LIMIT, work);
    }

    /**
     * Does the work of a call that the platform ends without notice at its timeout. The call counts as a timeout after nine tenths of the
     * time, or a second before its end, whichever is later.
     *
     * @param timeLeft as {@code Duration.ofMillis(context.getRemainingTimeInMillis())} on AWS Lambda
     */
    public <T, E extends Exception> T call(Duration timeLeft, Work<T, E> work) throws E {
        Scheduler scheduler = context.scheduler();
        long begun = scheduler.nanoTime();
        AtomicBoolean open = new AtomicBoolean(true);
        TaskUsage used = new TaskUsage();
        Duration tenth = timeLeft.dividedBy(10);
        Duration margin = tenth.compareTo(MARGIN) < 0 ? tenth : MARGIN;
        Scheduler.Waiting timeout = scheduler.schedule(timeLeft.minus(margin), () -> {
            end(open, begun, Outcome.failure(ErrorType.TIMEOUT), used);
            flush();
        });
        usage.set(used);
        try {
            T answer = work.call();
            end(open, begun, Outcome.success(), used);
            return answer;
        } catch (Throwable e) {
            end(open, begun, Outcome.failure(ErrorType.of(e)), used);
            throw e;
        } finally {
            usage.remove();
            timeout.cancel();
            flush();
        }
    }

    /** Adds tokens and calls to the outcome of the call in this thread; does nothing outside of a call. */
    public void addUsage(Usage used) {
        Optional.ofNullable(usage.get()).ifPresent(sum -> sum.add(used));
    }

    private void end(AtomicBoolean open, long begun, Outcome outcome, TaskUsage used) {
        if (open.getAndSet(false)) {
            long now = context.scheduler().nanoTime();
            synchronized (this) {
                if (stopped) {
                    return;
                }
                Outcome timed = outcome.latency(Duration.ofNanos(now - begun));
                queue.add(used.sum().map(timed::usage).orElse(timed), now);
            }
        }
    }

    /** Sends waiting outcomes, for a second at most. Never throws. */
    public void flush() {
        long end = context.scheduler().nanoTime() + MAX_DELAY.toNanos();
        for (long now = context.scheduler().nanoTime();
                now < end;
                now = context.scheduler().nanoTime()) {
            Optional<CompletableFuture<Void>> current = current(now);
            if (current.isEmpty()) {
                return;
            }
            try {
                current.get().get(end - now, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                failed("no answer within " + MAX_DELAY.toSeconds() + " s", true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Returns the request in progress, or begins a request if something waits; empty if no attempt is due. */
    private synchronized Optional<CompletableFuture<Void>> current(long now) {
        if (stopped || queue.isEmpty() || retryAt - now > 0) {
            return Optional.empty();
        }
        if (sending.filter(attempt -> !attempt.isDone()).isEmpty()) {
            CompletableFuture<Void> attempt = new CompletableFuture<>();
            sending = Optional.of(attempt);
            // A thread that the platform freezes continues at the next call.
            context.scheduler().schedule(Duration.ZERO, () -> {
                try {
                    send();
                } finally {
                    attempt.complete(null);
                }
            });
        }
        return sending;
    }

    private void send() {
        try {
            if (!registered) {
                register();
                registered = true;
            }
            for (Optional<OutcomeQueue.Batch> batch = take(); batch.isPresent(); batch = take()) {
                report(batch.get());
            }
            synchronized (this) {
                failures = 0;
            }
        } catch (RuntimeException | Error e) {
            registered &= !(e instanceof NotFoundException || e instanceof AgentGoneException);
            if (policy != DeathPolicy.ALWAYS_REGISTER_AGAIN
                    && AgentHealthException.of(e).isOperatorsWord()) {
                stop();
                return;
            }
            boolean cut = e instanceof RegistryUnreachableException;
            synchronized (this) {
                queue.unanswered();
                // A kept connection may have ended while the process was frozen, so that the first failure is retried
                // at once.
                failed(e.toString(), failures > 0 || !cut);
            }
        }
    }

    private void stop() {
        synchronized (this) {
            stopped = true;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "agent " + registration.agentId() + " was ended by an operator: this process reports nothing more");
    }

    private synchronized Optional<OutcomeQueue.Batch> take() {
        time.sync(Optional.of(context.clock().instant()), context.scheduler().nanoTime());
        return queue.take();
    }

    private void report(OutcomeQueue.Batch batch) {
        ObjectNode body = Json.object();
        batch.putInto(body);
        Call call = Call.post("/api/v1/agents").segment(registration.agentId()).path("/outcomes");
        try {
            context.api().sendOnce(call.body(body));
            synchronized (this) {
                queue.counted();
            }
        } catch (ProblemException e) {
            if (e.status() != 400 && e.status() != 413 && e.status() != 422) {
                throw e;
            }
            synchronized (this) {
                queue.refused();
            }
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the registry refuses outcomes of agent " + registration.agentId() + ": " + e.getMessage());
        }
    }

    private void register() {
        try {
            context.api().sendOnce(Call.post("/api/v1/agents").body(registration.json()));
        } catch (ConflictException e) {
            if (!e.code().equals("agent_exists")) {
                throw e;
            }
            // Another process registered it, perhaps with an earlier version.
            ObjectNode changes = registration.json();
            changes.remove("agent_id");
            ObjectNode config = (ObjectNode) changes.path("heartbeat_config");
            config.putIfAbsent(config.has("mode") ? "schedule" : "mode", NullNode.instance);
            Call call = Call.patch("/api/v1/agents").segment(registration.agentId());
            context.api().sendOnce(call.header("If-Match", "*").body(changes));
        }
    }

    private synchronized void failed(String why, boolean pauses) {
        failures++;
        Duration pause =
                pauses ? context.backoff().after(failures, FIRST_PAUSE, MAX_PAUSE, Optional.empty()) : Duration.ZERO;
        retryAt = context.scheduler().nanoTime() + pause.toNanos();
        if (pauses) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "agent " + registration.agentId() + ": " + why + " (calls go on, and outcomes wait)");
        }
    }
}
