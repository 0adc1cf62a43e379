package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The session of an agent that the client keeps registered: registrations, heartbeats, work, drain, death and end. Its lock guards the
 * session and the agent's tasks and leases. Requests, callbacks and the loop are called without the lock.
 */
final class AgentSession {

    private static final System.Logger LOG = System.getLogger("dev.agenthealth.client");
    private static final int DRIFT_IN_INTERVALS = 2;

    /** The number of consecutive heartbeats without work that a drain needs: the first starts the drain, the second completes it. */
    private static final int IDLE_HEARTBEATS = 2;

    private final ClientContext context;
    private final AgentBuilder settings;
    private final HeartbeatLoop loop;
    private final OwnRegistration registration;
    private final RequestSchedule schedule;
    private final ConnectionState connection = new ConnectionState();
    private final ServerTime serverTime = new ServerTime();
    private final OutcomeQueue outcomes = new OutcomeQueue(serverTime);
    private final OutcomeSender sender;
    private final Work work = new Work();
    private final Activities activities;
    private final HeldLeases leases = new HeldLeases(this);
    private final CompletableFuture<AgentEnd> ended = new CompletableFuture<>();

    private SessionPhase phase = SessionPhase.REGISTERING;
    private boolean plain;
    private boolean drainCallbackRuns;
    private boolean restartRequested;
    private int idleHeartbeats;
    private OptionalDouble contextUsed = OptionalDouble.empty();

    AgentSession(ClientContext context, AgentBuilder settings, HeartbeatLoop loop) {
        this.context = context;
        this.settings = settings;
        this.loop = loop;
        Registration first = settings.registration().startedAt(context.clock().instant());
        this.registration = new OwnRegistration(this, context, first);
        this.sender = new OutcomeSender(this, context, registration, outcomes);
        this.activities = new Activities(context.scheduler());
        this.schedule = new RequestSchedule(context.scheduler(), context.backoff());
        schedule.interval(first.heartbeatInterval());
    }

    /** Returns the id; empty until the registry has generated it. */
    String agentId() {
        return registration.agentId();
    }

    /** Returns the incarnation of the last registration; 0 before the first registration. */
    long incarnation() {
        return registration.incarnation();
    }

    synchronized AgentState state() {
        return phase.shown();
    }

    synchronized Optional<Instant> lastAnswerAt() {
        return connection.answeredAt();
    }

    synchronized Optional<AgentHealthException> lastFailure() {
        return connection.failure();
    }

    /** Returns the number of lost outcomes. */
    synchronized long droppedOutcomes() {
        return outcomes.dropped();
    }

    /** Returns the number of consecutive failed requests. */
    synchronized int failures() {
        return schedule.failures();
    }

    /** Returns a future that completes when nothing more is sent for the agent. */
    CompletableFuture<AgentEnd> ended() {
        return ended;
    }

    AgentBuilder settings() {
        return settings;
    }

    ClientContext context() {
        return context;
    }

    /** Returns the running tasks and calls. */
    Activities activities() {
        return activities;
    }

    /** Returns the time at which the next request is due. Empty while a request is in flight, or if no request is needed. */
    synchronized OptionalLong dueAt() {
        return switch (phase) {
            case REGISTERING, ACTIVE, DRAINING -> schedule.dueAt();
            case DYING, STOPPING, ENDED -> OptionalLong.empty();
        };
    }

    /**
     * Registers for the first time. If the registry is unreachable or refuses the key, the loop retries.
     *
     * @throws AgentHealthException if the registry refuses the registration for another reason
     */
    void registerFirst() {
        synchronized (this) {
            schedule.sent();
        }
        try {
            registration.send().ifPresent(this::registered);
        } catch (RuntimeException | Error e) {
            AgentHealthException failure = AgentHealthException.of(e);
            if (!failure.isPassing() && !failure.isRefusedKey() && !(failure instanceof AgentAlreadyRunningException)) {
                throw failure;
            }
            failed(failure);
        }
    }

    /** Returns the task that registers the agent, if a registration is due; otherwise empty. */
    synchronized Optional<Runnable> beginRegistration(long now) {
        if (phase != SessionPhase.REGISTERING || !schedule.isDue(now)) {
            return Optional.empty();
        }
        schedule.sent();
        return Optional.of(() -> {
            try {
                registration.send().ifPresentOrElse(this::registered, () -> end(AgentEnd.SUPERSEDED));
            } catch (RuntimeException | Error e) {
                failed(AgentHealthException.of(e));
            }
        });
    }

    private void registered(AgentRecord answer) {
        boolean awaited;
        synchronized (this) {
            registration.accepted(answer);
            plain = false;
            serverTime.sync(answer.lastHeartbeatAt(), context.scheduler().nanoTime());
            connection.registered(answer, context.clock().instant());
            schedule.interval(answer.heartbeatInterval());
            schedule.answered(Optional.empty());
            awaited = phase == SessionPhase.REGISTERING;
            phase = awaited ? SessionPhase.ACTIVE : phase;
        }
        if (!awaited) {
            // The agent was closed while the request was in flight.
            registration.withdraw(answer);
        }
    }

    /** Returns the heartbeat to send now; empty if no heartbeat is due within half of the interval. */
    synchronized Optional<HeartbeatEntry> beginHeartbeat(long now) {
        boolean sends = phase == SessionPhase.ACTIVE || phase == SessionPhase.DRAINING;
        if (!sends || !schedule.isDue(now + schedule.interval().toNanos() / 2)) {
            return Optional.empty();
        }
        schedule.sent();
        AgentRecord registered = registration.record().orElseThrow();
        ObjectNode json = Json.object()
                .put("status", phase == SessionPhase.DRAINING ? "draining" : "active")
                .put("client_timestamp", context.clock().instant().toString())
                .put("incarnation", registered.incarnation());
        Optional<OutcomeQueue.Batch> batch = outcomes.take();
        batch.ifPresent(taken -> taken.putInto(json));
        if (!plain) {
            // The end of the drain must not cut off outcomes that wait for the next heartbeat.
            boolean unfinished = drainCallbackRuns || phase == SessionPhase.DRAINING && outcomes.waiting() > 0;
            json.put("current_load", Math.max(work.load(), unfinished ? 1 : 0));
            json.set("tasks_in_progress", Json.of(work.tasks()));
            activities.report().ifPresent(activity -> json.set("activity", activity));
            contextUsed.ifPresent(part -> json.put("context_used", part));
        }
        // After a failure, every second attempt goes to the registry's own address.
        URI registry = URI.create(context.api().base());
        Optional<URI> url = schedule.failures() % 2 == 0 ? registered.heartbeatUrl(registry) : Optional.empty();
        return Optional.of(new HeartbeatEntry(this, registered.agentId(), url, json, batch.isPresent()));
    }

    /** Processes the answer to a heartbeat. */
    void acknowledged(HeartbeatEntry entry, HeartbeatAnswer answer) {
        synchronized (this) {
            long nanos = context.scheduler().nanoTime();
            Instant now = context.clock().instant();
            serverTime.sync(answer.serverTimestamp(), nanos);
            if (entry.carriesOutcomes()) {
                outcomes.settle(answer.node().path("outcomes"))
                        .ifPresent(detail -> ConnectionState.log(
                                Level.WARNING, entry.agentId(), "loses outcomes that the registry refuses: " + detail));
            }
            Duration maxDrift = schedule.interval().multipliedBy(DRIFT_IN_INTERVALS);
            connection.answered(entry.agentId(), now, serverTime.drift(now, nanos), maxDrift);
            schedule.answered(answer.nextIn());
            // If leases delay the drain, no further heartbeats are sent at once.
            if (phase == SessionPhase.DRAINING && isIdle() && idleHeartbeats++ < IDLE_HEARTBEATS) {
                schedule.now();
            }
        }
        if (answer.agentStatus().equals("deregistered")) {
            end(AgentEnd.DRAINED);
        } else {
            answer.drainToFollow().ifPresent(this::drain);
            restart(answer.restart());
        }
    }

    /** Processes a refused or unanswered heartbeat. */
    void failed(HeartbeatEntry entry, AgentHealthException failure) {
        if (entry.carriesOutcomes()) {
            synchronized (this) {
                outcomes.settle(failure);
            }
        }
        if (failure instanceof SupersededException) {
            end(AgentEnd.SUPERSEDED);
        } else if (failure.isOperatorsWord() && settings.deathPolicy() != DeathPolicy.ALWAYS_REGISTER_AGAIN) {
            stop();
        } else if (failure.isEndOfAgent()) {
            gone();
        } else {
            failed(failure);
        }
    }

    private void failed(AgentHealthException failure) {
        boolean isNew;
        synchronized (this) {
            isNew = connection.failed(agentId(), failure);
            // If load or tasks break a rule, a plain heartbeat may be accepted.
            plain |= failure.problemStatus() == 400;
            if (failure instanceof AgentAlreadyRunningException) {
                schedule.waiting(failure.waitAtLeast());
            } else if (failure.isPassing()) {
                schedule.failed(failure.waitAtLeast());
            } else {
                schedule.refused();
            }
        }
        if (isNew && failure.isRefusedKey() && failure instanceof ProblemException refusal) {
            call(settings.onRefused(), refusal);
        }
    }

    /** Sets the used part of the model's context for heartbeats from now on. */
    synchronized void contextUsed(double part) {
        contextUsed = OptionalDouble.of(part);
    }

    /** Keeps an outcome for the next heartbeat, and sends full batches at once while the registry answers. */
    void record(Outcome outcome) {
        boolean flushes;
        synchronized (this) {
            outcomes.add(outcome, context.scheduler().nanoTime());
        }
        call(settings.onOutcome(), outcome);
        synchronized (this) {
            flushes = phase == SessionPhase.ACTIVE && schedule.failures() == 0 && sender.begin();
        }
        if (flushes) {
            context.scheduler().schedule(Duration.ZERO, sender::run);
        }
    }

    synchronized void beginTask(String taskId) {
        work.begin(taskId);
    }

    void endTask(String taskId) {
        synchronized (this) {
            work.end(taskId);
        }
        workChanged();
    }

    /** Reports this load instead of the number of begun tasks. */
    void declareLoad(int load) {
        synchronized (this) {
            work.declare(load);
        }
        workChanged();
    }

    /** Adds a lease; returns false if the agent has ended. */
    synchronized boolean hold(HeldLease lease) {
        return phase != SessionPhase.ENDED && leases.add(lease);
    }

    HeldLeases leases() {
        return leases;
    }

    /** Begins to drain. An agent that is not registered ends at once. */
    void drain(Drain drain) {
        AgentState before;
        synchronized (this) {
            before = phase.shown();
            if (before == AgentState.ACTIVE) {
                phase = SessionPhase.DRAINING;
                drainCallbackRuns = true;
                schedule.now();
            }
        }
        if (before == AgentState.REGISTERING) {
            end(AgentEnd.CLOSED);
        } else if (before == AgentState.ACTIVE) {
            loop.wake();
            drainInBackground(drain);
        }
    }

    /** Calls the callback once per restart request. */
    private void restart(Optional<HeartbeatAnswer.DrainCommand> command) {
        boolean isNew;
        synchronized (this) {
            isNew = command.isPresent() && !restartRequested && phase == SessionPhase.ACTIVE;
            restartRequested = command.isPresent();
        }
        if (isNew) {
            Drain drain = new Drain(
                    Drain.Cause.RESTART, command.get().reason(), command.get().timeout());
            ConnectionState.log(Level.WARNING, agentId(), "is to restart: " + drain.reason());
            context.scheduler().schedule(Duration.ZERO, () -> settings.onRestart()
                    .ifPresentOrElse(callback -> call(callback, drain), () -> ProcessRestart.begin(this, drain)));
        }
    }

    /**
     * Stops after an operator ended the agent. Its work ends as in a drain, without heartbeats. A drain in progress continues to its end.
     */
    private void stop() {
        boolean stops;
        synchronized (this) {
            stops = phase == SessionPhase.ACTIVE;
            if (stops) {
                phase = SessionPhase.STOPPING;
                drainCallbackRuns = true;
            }
        }
        if (!stops) {
            gone();
            return;
        }
        ConnectionState.log(
                Level.WARNING, agentId(), "was ended by an operator: it stops, and does not register again");
        leases.lose("an operator ended its agent");
        drainInBackground(new Drain(Drain.Cause.ENDED, "an operator ended the agent", Duration.ZERO));
    }

    private void drainInBackground(Drain drain) {
        context.scheduler().schedule(Duration.ZERO, () -> {
            call(settings.onDrain(), drain);
            synchronized (this) {
                drainCallbackRuns = false;
            }
            workChanged();
        });
    }

    /** Reacts to the end of work: sends a heartbeat at once if it may complete a drain, and ends an agent that an operator ended. */
    void workChanged() {
        SessionPhase before;
        synchronized (this) {
            before = isIdle() ? phase : SessionPhase.ACTIVE;
            if (before == SessionPhase.DRAINING) {
                idleHeartbeats = 0;
                schedule.now();
            }
        }
        if (before == SessionPhase.DRAINING) {
            loop.wake();
        } else if (before == SessionPhase.STOPPING) {
            end(AgentEnd.OPERATOR);
        }
    }

    private synchronized boolean isIdle() {
        return !drainCallbackRuns && work.load() == 0 && leases.isEmpty();
    }

    /** Reacts to an agent that no longer lives at the registry, after a drain or a death. */
    private void gone() {
        SessionPhase before;
        boolean workLeft;
        synchronized (this) {
            before = phase;
            workLeft = !isIdle();
            if (before == SessionPhase.ACTIVE || before == SessionPhase.DRAINING && workLeft) {
                phase = SessionPhase.DYING;
            }
        }
        Death death = new Death(agentId(), incarnation());
        if (before == SessionPhase.ACTIVE) {
            ConnectionState.log(
                    Level.WARNING,
                    death.agentId(),
                    "is dead at the registry; incarnation " + death.incarnation() + " holds no leases");
            leases.lose("its agent is dead");
            context.scheduler().schedule(Duration.ZERO, () -> afterDeath(death, settings.deathPolicy()));
        } else if (before == SessionPhase.DRAINING && workLeft) {
            leases.lose("its agent has ended");
            context.scheduler().schedule(Duration.ZERO, () -> afterDrain(death));
        } else {
            end(AgentEnd.DRAINED);
        }
    }

    /** Reacts to a drain that ended before its work, because the last lease was released or the deadline passed. */
    private void afterDrain(Death death) {
        boolean dead;
        try {
            dead = registration.read().status().equals("dead");
        } catch (RuntimeException e) {
            dead = false;
        }
        if (dead) {
            afterDeath(death, DeathPolicy.STOP);
        } else {
            end(AgentEnd.DRAINED);
        }
    }

    private void afterDeath(Death death, DeathPolicy policy) {
        call(settings.onDead(), death);
        if (policy == DeathPolicy.STOP) {
            end(AgentEnd.DEAD);
            return;
        }
        synchronized (this) {
            if (phase != SessionPhase.DYING) {
                return;
            }
            phase = SessionPhase.REGISTERING;
            schedule.registerAgain();
        }
        loop.wake();
    }

    /** Ends the agent, so that nothing more is sent for it. A second call does nothing. */
    void end(AgentEnd reason) {
        synchronized (this) {
            if (phase == SessionPhase.ENDED) {
                return;
            }
            phase = SessionPhase.ENDED;
        }
        loop.remove(this);
        Level level = reason == AgentEnd.DRAINED || reason == AgentEnd.CLOSED ? Level.INFO : Level.WARNING;
        ConnectionState.log(level, agentId(), "sends no more heartbeats: " + reason);
        leases.lose("its agent has ended");
        context.scheduler().schedule(Duration.ZERO, () -> {
            // If the agent runs elsewhere, the registry answers and accepts the outcomes of this process.
            if (lastFailure()
                    .filter(failure -> !(failure instanceof AgentAlreadyRunningException))
                    .isEmpty()) {
                sender.flush();
            }
            call(settings.onEnd(), reason);
            ended.complete(reason);
        });
    }

    /** Calls a callback and logs its exception, which has no other effect. */
    static <T> void call(Consumer<T> callback, T value) {
        try {
            callback.accept(value);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a callback of the agent failed for " + value, e);
        }
    }
}
