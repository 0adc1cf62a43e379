package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requests of one agent: its registrations and its heartbeats. Guarded by its own lock, under which that of its life may be taken.
 */
final class AgentSession implements AgentLife.Rhythm {

    private static final int DRIFT_IN_INTERVALS = 2;

    private final Parts parts;
    private final AgentBuilder settings;
    private final HeartbeatLoop loop;
    private final Registrar registrar;
    private final SessionLog log;
    private final Pace pace;
    private final Activity activity;
    private final AgentLife life;

    private boolean plain;

    AgentSession(Parts parts, AgentBuilder settings, HeartbeatLoop loop) {
        this.parts = parts;
        this.settings = settings;
        this.loop = loop;
        this.registrar = new Registrar(parts.api(), settings.registration());
        this.log = new SessionLog(registrar.agentId());
        this.pace = new Pace(parts.scheduler(), parts.backoff());
        this.activity = new Activity(parts);
        this.life = new AgentLife(parts, settings, registrar, activity, log, this);
    }

    /** When the next request is due; empty while one is under way, and where none is to be sent. */
    synchronized OptionalLong dueAt() {
        return life.isServed() ? pace.dueAt() : OptionalLong.empty();
    }

    synchronized Duration interval() {
        return pace.interval();
    }

    /** Failures in a row. */
    synchronized int failures() {
        return pace.failures();
    }

    /** Whether the next request is a registration. */
    boolean registers() {
        return life.state() == AgentState.REGISTERING;
    }

    @Override
    public void sendNow() {
        synchronized (this) {
            pace.now();
        }
        loop.wake();
    }

    @Override
    public void registerAgain() {
        synchronized (this) {
            pace.registerAgain();
        }
        loop.wake();
    }

    @Override
    public void stop() {
        loop.remove(this);
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
            life.end(AgentEnd.SUPERSEDED);
        }
    }

    private void registered(AgentRecord record) {
        activity.sync(record.lastHeartbeatAt());
        log.registered(record);
        synchronized (this) {
            plain = false;
            pace.interval(record.heartbeatInterval());
            pace.answered(Optional.empty());
        }
        life.contact().answered(parts.clock().instant());
        if (!life.registered()) {
            // Closed while the request was under way.
            Deregistration.attempt(parts.api(), record);
        }
    }

    /** The heartbeat to send now. */
    synchronized HeartbeatPart beginHeartbeat() {
        pace.sent();
        AgentRecord record = registrar.record().orElseThrow();
        ObjectNode json = Json.object()
                .put("status", life.state() == AgentState.DRAINING ? "draining" : "active")
                .put("client_timestamp", parts.clock().instant().toString())
                .put("incarnation", record.incarnation());
        boolean outcomes = activity.putOutcomes(json);
        if (!plain) {
            activity.putWork(json, life.drainCallbackRuns());
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
        life.contact().answered(parts.clock().instant());
        synchronized (this) {
            pace.answered(answer.nextIn());
            if (life.mayCompleteDrain()) {
                pace.now();
            }
        }
        log.answered(activity.drift(), interval().multipliedBy(DRIFT_IN_INTERVALS));
        if (answer.agentStatus().equals("deregistered")) {
            life.end(AgentEnd.DRAINED);
        } else {
            answer.drainToFollow().ifPresent(life::drain);
        }
    }

    /** The heartbeat was refused, or not answered. */
    void failed(HeartbeatPart part, AgentHealthException failure) {
        if (part.carriesOutcomes()) {
            activity.settle(failure);
        }
        if (failure instanceof SupersededException) {
            life.end(AgentEnd.SUPERSEDED);
        } else if (failure.isEndOfAgent()) {
            life.gone();
        } else {
            failed(failure);
        }
    }

    private void failed(AgentHealthException failure) {
        life.contact().failed(failure);
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

    /** Keeps an outcome for the next heartbeat, and sends full batches at once while the registry answers. */
    void record(Outcome outcome) {
        activity.record(outcome);
        Callbacks.call(settings.callbacks().onOutcome(), outcome);
        if (activity.isFull() && life.state() == AgentState.ACTIVE && failures() == 0) {
            activity.flushInBackground(agentId());
        }
    }

    String agentId() {
        return registrar.agentId();
    }

    long incarnation() {
        return registrar.incarnation();
    }

    AgentLife life() {
        return life;
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
