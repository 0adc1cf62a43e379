package dev.agenthealth.functions.storage.statuspage;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.operations.status.StatusPage;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the status page with its incidents in one item of at most some 60 KB. Thread-safe. */
public final class StatusPageStore {

    private static final Codec<Stored> STORED = new Codec<>();
    private static final Attribute<String> JSON =
            STORED.always("json", TEXT, stored -> StatusPageText.write(stored.page()));
    private static final Attribute<Long> VERSION = STORED.always("n", NUMBER, Stored::version);

    private final Database database;
    private final Table registry;

    public StatusPageStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The page as it was read.
     *
     * @param version the number of its changes; 0 if nobody has written a page
     */
    public record Stored(StatusPage page, long version) {}

    /**
     * Returns the page. Costs one request.
     *
     * @param fresh whether the read is strongly consistent
     */
    public Stored find(boolean fresh) {
        Map<String, AttributeValue> item = registry.get(ItemKind.STATUS_PAGE.key(), fresh);
        return item.isEmpty()
                ? new Stored(StatusPage.NONE, 0)
                : new Stored(StatusPageText.read(JSON.of(item)), VERSION.of(item));
    }

    /** Replaces the page. Returns {@code false} if the page is no longer as it was read. */
    public boolean write(Stored before, StatusPage page) {
        Map<String, AttributeValue> item =
                STORED.item(ItemKind.STATUS_PAGE.key(), new Stored(page, before.version() + 1));
        return registry.put(
                item, before.version() == 0 ? Condition.absent(Attributes.PK) : VERSION.is(before.version()));
    }

    /** Removes the entries of an agent. */
    public void removeOf(String agentId) {
        OptimisticUpdates.untilDone(() -> {
            Stored before = find(true);
            StatusPage page = before.page().withoutAgent(agentId, database.now());
            return page == before.page() || write(before, page);
        });
    }
}
