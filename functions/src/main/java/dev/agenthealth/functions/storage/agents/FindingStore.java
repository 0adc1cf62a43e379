package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.FindingWrites;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.RunResult;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.LoopChange;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.model.registry.lifecycle.UsageChange;
import dev.agenthealth.model.registry.lifecycle.WaitingChange;
import java.util.List;

/**
 * Writes the published findings about an agent, each in one transaction with its event. A write fails if the agent is no longer as it was read.
 * Thread-safe.
 */
public final class FindingStore {

    private final Database database;
    private final Table pulses;
    private final Table registry;

    public FindingStore(Database database) {
        this.database = database;
        this.pulses = database.pulses();
        this.registry = database.registry();
    }

    /**
     * Writes the event of a clock drift, which changes no status.
     *
     * @param counted the pulse with the event counted
     * @return {@code false} if the agent had another event since it was read
     */
    public boolean appendDriftEvent(Pulse counted, Event event) {
        return EventWrites.add(
                        database.transaction().update(pulses, PulseWrites.drift(counted)), database, List.of(event))
                .commit();
    }

    /**
     * Writes that a run failed, or that a run succeeded after a failed one, with its event.
     *
     * @param shared whether a failure is a part of the problem of a model provider
     * @return {@code false} if the agent had another event or another owner since it was read, or the ping address that reported the
     *     run was revoked
     */
    public boolean changeRun(StoredAgent agent, RunResult result, String exitCode, boolean shared) {
        Pulse counted = agent.pulse().withRun(FailedRun.of(result.isFailure(), shared));
        Event event = AgentEvents.run(counted, agent.profile().roleId(), result, exitCode, database.now());
        Transaction transaction = database.transaction().update(pulses, PulseWrites.run(counted));
        if (result != RunResult.ADDRESS_REVOKED) {
            transaction.check(registry, ItemKind.PING_ADDRESS.key(counted.agentId()), Condition.exists(Attributes.PK));
        }
        return EventWrites.add(transaction, database, List.of(event)).commit();
    }

    /** Publishes a failed run again, which is no longer a part of another problem. Returns {@code false} if the agent had another event since. */
    public boolean publishRunAgain(Pulse seen, String roleId) {
        Pulse counted = seen.withRun(FailedRun.OWN);
        Transaction transaction = database.transaction().update(pulses, PulseWrites.run(counted));
        Event event = AgentEvents.runOutlives(counted, roleId, database.now());
        return EventWrites.add(transaction, database, List.of(event)).commit();
    }

    /** Writes the beginning, worsening or end of a stall with its event. Returns {@code false} if the pulse is no longer as it was read. */
    public boolean change(StallChange change, String roleId) {
        Transaction transaction = database.transaction().update(pulses, FindingWrites.stall(change));
        EventWrites.add(transaction, database, List.of(AgentEvents.of(change, roleId)));
        return transaction.commit();
    }

    /** Writes the beginning or end of a published wait for a person with its event. Returns {@code false} if the pulse changed since. */
    public boolean change(WaitingChange change, String roleId) {
        Transaction transaction = database.transaction().update(pulses, FindingWrites.waiting(change));
        EventWrites.add(transaction, database, List.of(AgentEvents.of(change, roleId)));
        return transaction.commit();
    }

    /** Writes a change of the used part of a limit with its event. Returns {@code false} if the agent had another event since it was read. */
    public boolean change(UsageChange change, String roleId) {
        Transaction transaction = database.transaction().update(pulses, FindingWrites.usage(change));
        if (change.isPublished()) {
            EventWrites.add(transaction, database, List.of(AgentEvents.of(change, roleId)));
        }
        return transaction.commit();
    }

    /** Writes the beginning, worsening or end of a loop with its event. Returns {@code false} if the pulse is no longer as it was read. */
    public boolean change(LoopChange change, String roleId) {
        Transaction transaction = database.transaction().update(pulses, FindingWrites.loop(change));
        EventWrites.add(transaction, database, List.of(AgentEvents.of(change, roleId)));
        return transaction.commit();
    }
}
