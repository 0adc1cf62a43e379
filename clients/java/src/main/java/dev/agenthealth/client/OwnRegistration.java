package dev.agenthealth.client;

import java.lang.System.Logger.Level;
import java.util.Optional;

/** The registration of an agent by this process: its requests, and the record of the last registration. The session's lock guards it. */
final class OwnRegistration {

    private static final System.Logger LOG = System.getLogger("dev.agenthealth.client");

    private final Object lock;
    private final ClientContext context;
    private Registration registration;
    private Optional<AgentRecord> record = Optional.empty();
    private boolean mayBeRegistered;

    OwnRegistration(Object lock, ClientContext context, Registration registration) {
        this.lock = lock;
        this.context = context;
        this.registration = registration;
    }

    /** Returns the id; empty until the registry has generated it. */
    String agentId() {
        synchronized (lock) {
            return record.map(AgentRecord::agentId).orElseGet(registration::agentId);
        }
    }

    /** Returns the incarnation of the last registration; 0 before the first registration. */
    long incarnation() {
        synchronized (lock) {
            return record.map(AgentRecord::incarnation).orElse(0L);
        }
    }

    /** Returns the record of the last registration; empty before the first registration. */
    Optional<AgentRecord> record() {
        synchronized (lock) {
            return record;
        }
    }

    /** Sends one registration; empty if another process registered the agent since. */
    Optional<AgentRecord> send() {
        try {
            Call call = Call.post("/api/v1/agents").body(registration().json());
            return Optional.of(new AgentRecord(context.api().sendOnce(call)));
        } catch (ConflictException e) {
            return own(e);
        } catch (RegistryUnreachableException e) {
            synchronized (lock) {
                mayBeRegistered = true;
            }
            throw e;
        }
    }

    private Registration registration() {
        synchronized (lock) {
            return registration;
        }
    }

    /**
     * Resolves a conflict after the first registration. Either this process uses the id, because an answer was lost, or another process
     * uses it.
     */
    private Optional<AgentRecord> own(ConflictException conflict) {
        if (incarnation() == 0 || !conflict.code().equals("agent_exists")) {
            throw conflict;
        }
        AgentRecord present = read();
        synchronized (lock) {
            boolean own = mayBeRegistered && present.incarnation() == incarnation() + 1;
            return own ? Optional.of(present) : Optional.empty();
        }
    }

    /** Returns the agent's record at the registry. */
    AgentRecord read() {
        return new AgentRecord(context.api().sendOnce(Call.get("/api/v1/agents").segment(agentId())));
    }

    /** Stores the answer to a registration. From now on another process may replace this process, which must not replace it in turn. */
    void accepted(AgentRecord answer) {
        synchronized (lock) {
            record = Optional.of(answer);
            mayBeRegistered = false;
            registration = registration.withoutReplace().with("agent_id", answer.agentId());
        }
    }

    /** Tries to deregister the agent. If that fails, the registry marks the agent as dead later. */
    void withdraw(AgentRecord answer) {
        Call call = Call.delete("/api/v1/agents").segment(answer.agentId()).query("incarnation", answer.incarnation());
        try {
            context.api().sendOnce(call);
        } catch (RuntimeException e) {
            LOG.log(Level.INFO, "agent " + answer.agentId() + " was not deregistered: " + e);
        }
    }
}
