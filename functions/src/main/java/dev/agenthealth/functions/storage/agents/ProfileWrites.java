package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;

/** Adds the items of a profile to the transaction of a change. Thread-safe. */
final class ProfileWrites {

    private final Database database;
    private final Table registry;

    ProfileWrites(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Writes the next revision of the profile, if the seen revision is still the last, and makes the agent's health due. */
    void replace(Transaction transaction, AgentProfile profile, long seenRevision, Pulse after) {
        put(
                transaction,
                profile,
                seenRevision + 1,
                after,
                Condition.absent(Attributes.PK).or(Condition.equal(ProfileItem.REVISION, n(seenRevision))));
        transaction.update(
                registry,
                DueEntry.ofHealth(profile.agentId(), profile.description().personal(), database));
    }

    void put(Transaction transaction, AgentProfile profile, long revision, Pulse after, Condition condition) {
        transaction
                .put(registry, ProfileItem.of(profile, revision, after), condition)
                .put(registry, ProfileItem.metadata(profile, revision));
    }
}
