package dev.agenthealth.client;

import java.util.Optional;

/** Registers one agent, the first time and after each death. Guarded by its own lock; requests run without it. */
final class Registrar {

    private final Api api;
    private Registration registration;
    private Optional<AgentRecord> record = Optional.empty();
    private boolean mayBeRegistered;

    Registrar(Api api, Registration registration) {
        this.api = api;
        this.registration = registration;
    }

    /** What a request to register came to. */
    sealed interface Result {}

    /** The agent is registered. */
    record Registered(AgentRecord record) implements Result {}

    /** Another process registered the agent. */
    record Replaced() implements Result {}

    /** The agent is not registered, or that is not known. */
    record Failed(AgentHealthException failure) implements Result {}

    /** The id; empty while it is not known, as the registry generates it. */
    synchronized String agentId() {
        return record.map(AgentRecord::agentId).orElseGet(registration::agentId);
    }

    /** The incarnation of the last registration; 0 before the first. */
    long incarnation() {
        return record().map(AgentRecord::incarnation).orElse(0L);
    }

    /** The answer to the last registration. */
    synchronized Optional<AgentRecord> record() {
        return record;
    }

    /** Sends one request to register. */
    Result register() {
        try {
            return registered(new AgentRecord(
                    api.sendOnce(Call.post("/api/v1/agents").body(current().json()))));
        } catch (ConflictException e) {
            return isOfEarlierAttempt(e) ? compared() : new Failed(e);
        } catch (AgentHealthException e) {
            noteSilence(e);
            return new Failed(e);
        } catch (RuntimeException | Error e) {
            return new Failed(new RegistryUnreachableException("the registration could not be sent: " + e, e));
        }
    }

    /** A conflict after the first registration: the id is in use by this process, if an answer was lost, or by another one. */
    private synchronized boolean isOfEarlierAttempt(ConflictException conflict) {
        return record.isPresent() && conflict.code().equals("agent_exists");
    }

    /** The agent's lifecycle status at the registry; empty where it cannot be read. */
    String status() {
        try {
            return read().status();
        } catch (AgentHealthException e) {
            return "";
        }
    }

    private AgentRecord read() {
        return new AgentRecord(api.sendOnce(Call.get("/api/v1/agents").segment(agentId())));
    }

    private Result compared() {
        try {
            AgentRecord present = read();
            return isOwn(present) ? registered(present) : new Replaced();
        } catch (AgentHealthException e) {
            return new Failed(e);
        }
    }

    private synchronized boolean isOwn(AgentRecord present) {
        return mayBeRegistered && present.incarnation() == record.orElseThrow().incarnation() + 1;
    }

    private synchronized Result registered(AgentRecord answer) {
        record = Optional.of(answer);
        mayBeRegistered = false;
        // From now on another process may replace this one, and must not be replaced in turn.
        registration = registration.withoutReplace().with("agent_id", answer.agentId());
        return new Registered(answer);
    }

    private synchronized void noteSilence(AgentHealthException failure) {
        mayBeRegistered |= failure instanceof RegistryUnreachableException;
    }

    private synchronized Registration current() {
        return registration;
    }
}
