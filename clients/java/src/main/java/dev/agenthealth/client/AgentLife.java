package dev.agenthealth.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * What becomes of one agent: it registers, works, drains or dies, and ends. Guarded by its own lock; callbacks, requests and the rhythm are
 * called without it.
 */
final class AgentLife {

    /** Heartbeats without work in a row that a drain needs: one starts it, and one completes it. */
    private static final int IDLE_HEARTBEATS = 2;

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

    /** When requests for the agent are sent. */
    interface Rhythm {

        /** Sends the next heartbeat at once. */
        void sendNow();

        /** Registers again soon. */
        void registerAgain();

        /** Sends nothing more. */
        void stop();
    }

    private final Parts parts;
    private final AgentBuilder settings;
    private final Registrar registrar;
    private final Activity activity;
    private final SessionLog log;
    private final Rhythm rhythm;
    private final Contact contact = new Contact();
    private final CompletableFuture<AgentEnd> ended = new CompletableFuture<>();

    private Phase phase = Phase.REGISTERING;
    private boolean drainCallbackRuns;
    private int idleHeartbeats;

    AgentLife(
            Parts parts, AgentBuilder settings, Registrar registrar, Activity activity, SessionLog log, Rhythm rhythm) {
        this.parts = parts;
        this.settings = settings;
        this.registrar = registrar;
        this.activity = activity;
        this.log = log;
        this.rhythm = rhythm;
    }

    synchronized AgentState state() {
        return phase.shown;
    }

    /** Whether requests are sent for the agent. */
    synchronized boolean isServed() {
        return phase != Phase.DYING && phase != Phase.ENDED;
    }

    synchronized boolean drainCallbackRuns() {
        return drainCallbackRuns;
    }

    /** Becomes active; false where the agent ended while its registration was under way. */
    synchronized boolean registered() {
        boolean awaited = phase == Phase.REGISTERING;
        phase = awaited ? Phase.ACTIVE : phase;
        return awaited;
    }

    /** Whether another heartbeat at once may complete the drain; false from the second such heartbeat on, as leases may hold it up. */
    synchronized boolean mayCompleteDrain() {
        return phase == Phase.DRAINING && isIdle() && idleHeartbeats++ < IDLE_HEARTBEATS;
    }

    /** Begins to drain. An agent that is not registered has nothing to drain and ends. */
    void drain(Drain drain) {
        AgentState before;
        synchronized (this) {
            before = phase.shown;
            if (before == AgentState.ACTIVE) {
                phase = Phase.DRAINING;
                drainCallbackRuns = true;
            }
        }
        if (before == AgentState.REGISTERING) {
            end(AgentEnd.CLOSED);
        } else if (before == AgentState.ACTIVE) {
            rhythm.sendNow();
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
        }
        rhythm.sendNow();
    }

    private boolean isIdle() {
        return !drainCallbackRuns && activity.isIdle();
    }

    /** The registry has no such living agent: the end of a drain, or a death. */
    void gone() {
        Phase before;
        boolean workLeft;
        synchronized (this) {
            before = phase;
            workLeft = !isIdle();
            if (before == Phase.ACTIVE || before == Phase.DRAINING) {
                phase = Phase.DYING;
            }
        }
        Death death = new Death(registrar.agentId(), registrar.incarnation());
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
            return;
        }
        synchronized (this) {
            if (phase != Phase.DYING) {
                return;
            }
            phase = Phase.REGISTERING;
        }
        rhythm.registerAgain();
    }

    /** Sends nothing more. Does nothing the second time. */
    void end(AgentEnd reason) {
        synchronized (this) {
            if (phase == Phase.ENDED) {
                return;
            }
            phase = Phase.ENDED;
        }
        rhythm.stop();
        log.ended(reason);
        activity.leases().loseAll("its agent has ended");
        parts.scheduler().schedule(Duration.ZERO, () -> {
            if (contact.failure().isEmpty()) {
                activity.flush(registrar.agentId());
            }
            Callbacks.call(settings.callbacks().onEnd(), reason);
            ended.complete(reason);
        });
    }

    Contact contact() {
        return contact;
    }

    CompletableFuture<AgentEnd> ended() {
        return ended;
    }
}
