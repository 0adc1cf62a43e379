package dev.agenthealth.functions.storage.silences;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilenceScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the silences of administrators and of owners of agents. A silence that is over can be read for two more days. Thread-safe. */
public final class SilenceStore {

    private final Database database;
    private final Table registry;

    public SilenceStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Returns all silences as of now: first the silences of administrators, then the silences of owners by the id of the owner's key, each
     * by name. Costs one query.
     */
    public List<Silence> all() {
        return read(everySilence());
    }

    /** Returns all silences of one owner by name, as of now. Costs one query. */
    public List<Silence> of(String ownerKeyId) {
        return read(everySilence().startingWith(ItemKind.OWNER_SILENCE.prefix() + ownerKeyId + "#"));
    }

    private static Query everySilence() {
        return Query.partition(ItemKind.SILENCE.partition()).consistent();
    }

    private List<Silence> read(Query query) {
        return registry.all(query).filter(this::isKept).map(SilenceItem::read).toList();
    }

    private boolean isKept(Map<String, AttributeValue> item) {
        return !Attributes.isExpired(item, database.now());
    }

    /**
     * Returns the silence of this name, as of now.
     *
     * @param ownerKeyId empty for a silence of administrators
     */
    public Optional<Silence> find(String ownerKeyId, String name) {
        return database.findUnexpired(SilenceItem.key(ownerKeyId, name)).map(SilenceItem::read);
    }

    /**
     * Writes a silence.
     *
     * @param before the silence as it was read; empty if there was none
     * @return {@code false} if it is no longer as it was read
     */
    public boolean write(Silence silence, Optional<Silence> before) {
        return registry.put(
                SilenceItem.of(silence),
                before.map(read -> SilenceItem.ID.is(read.id())).orElse(Condition.absentOrExpired(database.now())));
    }

    /** Removes a silence. Returns {@code false} if it is no longer as it was read. */
    public boolean remove(Silence seen) {
        return registry.delete(SilenceItem.key(seen.ownerKeyId(), seen.name()), SilenceItem.ID.is(seen.id()));
    }

    /** Removes the silences that cover only this agent. */
    public void removeOf(String agentId) {
        SilenceScope scope = new SilenceScope(SilenceScope.Kind.AGENT_ID, agentId);
        all().stream().filter(silence -> silence.scope().equals(scope)).forEach(this::remove);
    }
}
