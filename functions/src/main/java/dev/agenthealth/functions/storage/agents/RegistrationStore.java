package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.declarations.DeclarationChange;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.PulseConditions;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads what a registration continues, and writes registrations. A registration is one transaction: row, profile, tags, owner and events.
 * Thread-safe.
 */
public final class RegistrationStore {

    private final Database database;
    private final Table pulses;
    private final Table registry;
    private final AgentItems items;
    private final ProfileWrites profiles;
    private final DiscoveryTags tags;

    public RegistrationStore(Database database) {
        this.database = database;
        this.pulses = database.pulses();
        this.registry = database.registry();
        this.items = new AgentItems(database);
        this.profiles = new ProfileWrites(database);
        this.tags = new DiscoveryTags(registry);
    }

    /**
     * Returns the agent that a registration of an id continues. For an erased agent it returns the kept numbers, which continue, without a
     * profile. Costs one request. It does not find an agent that is archived at the same time, and {@link #register} then refuses the
     * registration. It removes expired health, because the next health would expire with it.
     */
    public Optional<StoredAgent> findToRegister(String agentId) {
        return toRegister(agentId, items.items(agentId, ItemKind.HEALTH));
    }

    /** Reads the items of {@link #findToRegister} together with other items of the registry table, in one request. */
    public Database.Items itemsToRegister(String agentId, List<Map<String, AttributeValue>> others) {
        return items.items(agentId, others, ItemKind.HEALTH);
    }

    /**
     * Returns the agent of {@link #findToRegister}.
     *
     * @param items the result of {@link #itemsToRegister}
     */
    public Optional<StoredAgent> toRegister(String agentId, Database.Items items) {
        Database.Items ofAgent = items.in(ItemKind.PROFILE.partition(agentId));
        Optional<StoredAgent> found = this.items.stored(agentId, ofAgent);
        if (found.isEmpty() && !ofAgent.of(ItemKind.HEALTH).isEmpty()) {
            registry.delete(
                    ItemKind.HEALTH.key(agentId),
                    Condition.atMost(Attributes.EXPIRES, n(database.now().getEpochSecond())));
        }
        return found;
    }

    /**
     * Writes the first registration of an id with its event. The agent's health is not due: without outcomes, documents follow from row and
     * profile.
     *
     * @param block the block of the id, which may be blocked before it registers
     * @return {@code false} if the id is taken, or was blocked or unblocked since it was read
     */
    public boolean register(Transition registration, AgentProfile profile, Block block) {
        Transaction transaction = database.transaction()
                .put(pulses, row(registration.after(), HealthSummary.NONE, profile), PulseConditions.absent())
                // A concurrent archival would lose the sequence number of its tombstone.
                .delete(registry, ItemKind.TOMBSTONE.key(profile.agentId()), Condition.absentOrExpired(database.now()))
                .check(registry, ItemKind.AGENT_BLOCK.key(profile.agentId()), BlockStore.isStill(block));
        tags.replace(transaction, Optional.empty(), profile);
        tags.putOwner(
                transaction, profile.agentId(), Owner.NONE, registration.after().owner());
        profiles.put(transaction, profile, 1, registration.after(), Condition.NONE);
        EventWrites.add(
                transaction,
                database,
                List.of(AgentEvents.registered(
                        registration, profile.roleId(), profile.agentInterface().capabilities())));
        return transaction.commit();
    }

    /**
     * Writes the registration of a known id with its events.
     *
     * @param end the end of the previous incarnation; empty if the agent is already gone
     * @return {@code false} if the agent is no longer as it was read
     */
    public boolean registerAgain(
            StoredAgent previous, Optional<Transition> end, Transition registration, AgentProfile profile) {
        return registerAgain(previous, end, registration, profile, DeclarationChange.NONE, false, Optional.empty());
    }

    /**
     * Writes the registration of a known id, and its changed declaration.
     *
     * @param afterSilence whether the registration is allowed because the previous process sent no heartbeats: a new heartbeat of that
     *     process then prevents the registration
     * @param block the block of an erased id, which the row does not hold: a decision about the block then prevents the registration
     * @see #registerAgain(StoredAgent, Optional, Transition, AgentProfile)
     */
    public boolean registerAgain(
            StoredAgent previous,
            Optional<Transition> end,
            Transition registration,
            AgentProfile profile,
            DeclarationChange declared,
            boolean afterSilence,
            Optional<Block> block) {
        Pulse after = declared.counted(registration.after());
        // Health that is computed at the same time is lost here. The sweep then makes it due again, as for any change
        // of status.
        Map<String, AttributeValue> row = row(after, previous.health(), profile);
        Condition alike = PulseConditions.unchangedButHeartbeats(previous.pulse());
        Condition unchanged = afterSilence ? alike.and(PulseConditions.sameHeartbeats(previous.pulse())) : alike;
        Transaction transaction = database.transaction();
        if (previous.archived()) {
            transaction
                    .put(pulses, row, PulseConditions.absent())
                    .delete(registry, ItemKind.TOMBSTONE.key(profile.agentId()), unchanged);
        } else {
            transaction.put(pulses, row, unchanged);
        }
        tags.replace(transaction, Optional.of(previous.profile()).filter(before -> !previous.archived()), profile);
        Owner before = previous.archived() ? Owner.NONE : previous.pulse().owner();
        tags.putOwner(
                transaction, profile.agentId(), before, registration.after().owner());
        transaction.delete(registry, ItemKind.TASKS.key(profile.agentId()));
        profiles.replace(transaction, profile, previous.profileRevision(), after);
        end.ifPresent(change -> putEvents(transaction, change, previous.profile()));
        putEvents(transaction, registration, profile);
        declared.addTo(transaction, database, after, profile.roleId());
        block.ifPresent(seen ->
                transaction.check(registry, ItemKind.AGENT_BLOCK.key(profile.agentId()), BlockStore.isStill(seen)));
        return transaction.commit();
    }

    private static Map<String, AttributeValue> row(Pulse pulse, HealthSummary health, AgentProfile profile) {
        return PulseItem.of(
                pulse,
                health.in(
                                profile.description().providerId(),
                                profile.description().platform())
                        .after(profile.history().restarts()),
                profile);
    }

    private void putEvents(Transaction transaction, Transition transition, AgentProfile profile) {
        EventWrites.add(
                transaction,
                database,
                AgentEvents.of(
                        transition, profile.roleId(), profile.agentInterface().capabilities(), ProbeState.NONE));
    }
}
