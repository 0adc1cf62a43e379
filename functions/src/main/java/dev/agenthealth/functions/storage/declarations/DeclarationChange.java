package dev.agenthealth.functions.storage.declarations;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.registry.declaration.DeclarationState;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.util.List;

/**
 * A change of the stored state of a declaration.
 *
 * @param before the state as it was read
 * @param after the new state; equal to {@code before} if nothing is written
 */
public record DeclarationChange(DeclarationState before, DeclarationState after) {

    /** No change. */
    public static final DeclarationChange NONE = new DeclarationChange(DeclarationState.NONE, DeclarationState.NONE);

    /** Returns whether the change is written. */
    public boolean isWritten() {
        return !after.equals(before);
    }

    /** Returns the agent with the event of the change counted; the same agent if there is no event. */
    public Pulse counted(Pulse pulse) {
        return after.isNewsAfter(before) ? pulse.withDeclaration(after.isChanged()) : pulse;
    }

    /**
     * Adds the change and its event to the transaction that writes the row of the agent.
     *
     * @param counted the agent with the event counted
     * @param roleId its role; empty for none
     */
    public void addTo(Transaction transaction, Database database, Pulse counted, String roleId) {
        if (isWritten()) {
            transaction.put(
                    database.registry(),
                    DeclarationStore.item(counted.agentId(), after),
                    DeclarationStore.unchanged(before));
        }
        if (after.isNewsAfter(before)) {
            EventWrites.add(
                    transaction,
                    database,
                    List.of(AgentEvents.declarationChanged(counted, roleId, before, after, database.now())));
        }
    }
}
