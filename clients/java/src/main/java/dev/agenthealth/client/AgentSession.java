package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** One agent: its registration, its heartbeats, its drain and its end. Guarded by its own lock; callbacks and requests run without it. */
final class AgentSession {

    /** Heartbeats without work in a row that a drain needs: one starts it, and one completes it. */
    private static final int IDLE_HEARTBEATS = 2;

    private static final int DRIFT_IN_INTERVALS = 2;

    private enum Phase {
        REGISTERING(AgentState.REGISTERING),
        ACTIVE(AgentState.ACTIVE),
        DRAINING(AgentState.DRAINING),
        DYING(AgentState.REGISTERING),
        ENDED(AgentState.ENDED);

        private final AgentState shown;

        Phase(AgentState shown) {
            this.shown = shown;
        }
    }

    private final Parts parts;
    private final AgentBuilder settings;
    private final HeartbeatLoop loop;
    private final SessionLog log;
    private final Registrar registrar;
    private final Pace pace;
    private final Contact contact = new Contact();
    private final Activity activity;
    private final CompletableFuture<AgentEnd> ended = new CompletableFuture<>();

    private Phase phase = Phase.REGISTERING;
    private boolean drainCallbackRuns;
    private boolean plain;
    private int idleHeartbeats;

    AgentSession(Parts parts, AgentBuilder settings, HeartbeatLoop loop) {
        this.parts = parts;
        this.settings = settings;
        this.loop = loop;
        this.registrar = new Registrar(parts.api(), settings.registration());
        this.pace = new Pace(parts.scheduler(), parts.backoff());
        this.log = new SessionLog(registrar.agentId());
        this.activity = new Activity(parts);
    }

    /** When the next request is due; empty while one is under way, and where none is to be sent. */
    synchronized OptionalLong dueAt() {
        return phase == Phase.DYING || phase == Phase.ENDED ? OptionalLong.empty() : pace.dueAt();
    }

    synchronized Duration interval() {
        return pace.interval();
    }

    /** Failures in a row. */
    synchronized int failures() {
        return pace.failures();
    }

    synchronized boolean registers() {
        return phase == Phase.REGISTERING;
    }

    synchronized void beginRegistration() {
        pace.sent();
    }

    /** Registers for the first time: an outage is waited out in the background, and a refusal is the caller's to handle. */
    void registerFirst() {
        beginRegistration();
        Registrar.Result result = registrar.register();
        if (result instanceof Registrar.Failed failed && !failed.failure().isPassing()) {
            throw failed.failure();
        }
        take(result);
    }

    /** Registers in the background. */
    void register() {
        take(registrar.register());
    }

    private void take(Registrar.Result result) {
        if (result instanceof Registrar.Registered registered) {
            registered(registered.record());
        } else if (result instanceof Registrar.Failed failed) {
            failed(failed.failure());
        } else {
            end(AgentEnd.SUPERSEDED);
        }
    }

    private void registered(AgentRecord record) {
        activity.sync(record.lastHeartbeatAt());
        log.registered(record);
        synchronized (this) {
            if (phase == Phase.REGISTERING) {
                phase = Phase.ACTIVE;
                plain = false;
                pace.interval(record.heartbeatInterval());
                pace.answered(Optional.empty());
                contact.answered(parts.clock().instant());
                return;
            }
        }
        // Closed while the request was under way.
        Deregistration.attempt(parts.api(), record);
    }

    /** The heartbeat to send now. */
    synchronized HeartbeatPart beginHeartbeat() {
        pace.sent();
        AgentRecord record = registrar.record().orElseThrow();
        ObjectNode json = Json.object()
                .put("status", phase == Phase.DRAINING ? "draining" : "active")
                .put("client_timestamp", parts.clock().instant().toString())
                .put("incarnation", record.incarnation());
        boolean outcomes = activity.putOutcomes(json);
        if (!plain) {
            activity.putWork(json, drainCallbackRuns);
        }
        // After a failure, every second attempt goes to the registry's own address.
        Optional<URI> url = pace.failures() % 2 == 0 ? record.heartbeatUrl() : Optional.empty();
        return new HeartbeatPart(this, record.agentId(), url, json, outcomes);
    }

    /** The registry received the heartbeat. */
    void acknowledged(HeartbeatPart part, HeartbeatAnswer answer) {
        activity.sync(answer.serverTimestamp());
        if (part.carriesOutcomes()) {
            activity.settle(answer.node().path("outcomes")).ifPresent(log::outcomesRefused);
        }
        synchronized (this) {
            pace.answered(answer.nextIn());
            contact.answered(parts.clock().instant());
            if (phase == Phase.DRAINING && isIdle() && idleHeartbeats++ < IDLE_HEARTBEATS) {
                pace.now();
            }
        }
        log.answered(activity.drift(), interval().multipliedBy(DRIFT_IN_INTERVALS));
        if (answer.agentStatus().equals("deregistered")) {
            end(AgentEnd.DRAINED);
        } else {
            answer.drainToFollow().ifPresent(this::drain);
        }
    }

    /** The heartbeat was refused, or not answered. */
    void failed(HeartbeatPart part, AgentHealthException failure) {
        if (part.carriesOutcomes()) {
            activity.settle(failure);
        }
        if (failure instanceof SupersededException) {
            end(AgentEnd.SUPERSEDED);
        } else if (failure.isEndOfAgent()) {
            gone();
        } else {
            failed(failure);
        }
    }

    private void failed(AgentHealthException failure) {
        contact.failed(failure);
        log.failed(failure);
        synchronized (this) {
            // A heartbeat that says less may pass where load or tasks break a rule.
            plain |= failure.problemStatus() == 400;
            if (failure.isPassing()) {
                pace.failed(failure.waitAtLeast());
            } else {
                pace.refused();
            }
        }
    }

    /** The registry has no such living agent: the end of a drain, or a death. */
    private void gone() {
        Phase before;
        boolean workLeft;
        synchronized (this) {
            before = phase;
            workLeft = !isIdle();
            if (before == Phase.ACTIVE || before == Phase.DRAINING) {
                phase = Phase.DYING;
            }
        }
        Death death = new Death(agentId(), incarnation());
        if (before == Phase.ACTIVE) {
            log.dead(death);
            activity.leases().loseAll("its agent is dead");
            parts.scheduler().schedule(Duration.ZERO, () -> afterDeath(death, settings.deathPolicy()));
        } else if (before == Phase.DRAINING && workLeft) {
            activity.leases().loseAll("its agent has ended");
            parts.scheduler().schedule(Duration.ZERO, () -> afterDrain(death));
        } else {
            end(AgentEnd.DRAINED);
        }
    }

    /** A drain ended before its work: the last lease was given back, or the deadline passed. */
    private void afterDrain(Death death) {
        if (registrar.status().equals("dead")) {
            afterDeath(death, DeathPolicy.STOP);
        } else {
            end(AgentEnd.DRAINED);
        }
    }

    private void afterDeath(Death death, DeathPolicy policy) {
        Callbacks.call(settings.callbacks().onDead(), death);
        if (policy == DeathPolicy.STOP) {
            end(AgentEnd.DEAD);
        }
        synchronized (this) {
            if (phase == Phase.DYING) {
                phase = Phase.REGISTERING;
                pace.registerAgain();
            }
        }
        loop.wake();
    }

    /** Begins to drain. An agent that is not registered has nothing to drain and ends. */
    void drain(Drain drain) {
        AgentState before;
        synchronized (this) {
            before = phase.shown;
            if (before == AgentState.ACTIVE) {
                phase = Phase.DRAINING;
                drainCallbackRuns = true;
                pace.now();
            }
        }
        if (before == AgentState.REGISTERING) {
            end(AgentEnd.CLOSED);
        } else if (before == AgentState.ACTIVE) {
            loop.wake();
            parts.scheduler().schedule(Duration.ZERO, () -> {
                Callbacks.call(settings.callbacks().onDrain(), drain);
                synchronized (this) {
                    drainCallbackRuns = false;
                }
                workChanged();
            });
        }
    }

    /** Work ended: sends a heartbeat at once if it may complete a drain. */
    void workChanged() {
        synchronized (this) {
            if (phase != Phase.DRAINING || !isIdle()) {
                return;
            }
            idleHeartbeats = 0;
            pace.now();
        }
        loop.wake();
    }

    private boolean isIdle() {
        return !drainCallbackRuns && activity.isIdle();
    }

    /** Sends nothing more. */
    void end(AgentEnd reason) {
        synchronized (this) {
            if (phase == Phase.ENDED) {
                return;
            }
            phase = Phase.ENDED;
        }
        loop.remove(this);
        log.ended(reason);
        activity.leases().loseAll("its agent has ended");
        parts.scheduler().schedule(Duration.ZERO, () -> {
            if (failures() == 0) {
                activity.flush(agentId());
            }
            Callbacks.call(settings.callbacks().onEnd(), reason);
            ended.complete(reason);
        });
    }

    /** Keeps an outcome for the next heartbeat, and sends full batches at once while the registry answers. */
    void record(Outcome outcome) {
        activity.record(outcome);
        Callbacks.call(settings.callbacks().onOutcome(), outcome);
        if (activity.isFull() && state() == AgentState.ACTIVE && failures() == 0) {
            activity.flushInBackground(agentId());
        }
    }

    String agentId() {
        return registrar.agentId();
    }

    /** The incarnation of the last registration; 0 before the first. */
    long incarnation() {
        return registrar.record().map(AgentRecord::incarnation).orElse(0L);
    }

    synchronized AgentState state() {
        return phase.shown;
    }

    Contact contact() {
        return contact;
    }

    CompletableFuture<AgentEnd> ended() {
        return ended;
    }

    AgentBuilder settings() {
        return settings;
    }

    Parts parts() {
        return parts;
    }

    Activity activity() {
        return activity;
    }
}
