package dev.agenthealth.functions.operations.transfer;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.registry.telemetry.SpanMappings;
import dev.agenthealth.functions.registry.telemetry.SpanMappings.Moved;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The mappings from names in spans to agents, of the registry's own keys. Thread-safe. */
public final class SpanMappingSection implements Section {

    /** Separates the id of a key from the id of a name. No id contains it. */
    private static final char SEPARATOR = '/';

    /** The maximum number of keys that one call reads. Most keys have no mapping. */
    private static final int MAX_KEYS = 50;

    private final SpanMappings mappings;
    private final KeyStore keys;

    public SpanMappingSection(Database database, Clock clock) {
        this.mappings = new SpanMappings(database, clock);
        this.keys = new KeyStore(database);
    }

    @Override
    public String name() {
        return "span_mappings";
    }

    @Override
    public String idField(Fields object) {
        return object.has("agent_name") ? "agent_name" : "service_name";
    }

    @Override
    public ListPage<Exported> export(String position, int limit) {
        String keyId =
                position.isEmpty() ? Authenticator.ADMINISTRATOR : position.substring(0, position.indexOf(SEPARATOR));
        List<String> ids = new ArrayList<>(List.of(keyId));
        List<ApiKey> others = keys.page(keyId, MAX_KEYS);
        others.forEach(key -> ids.add(key.keyId()));
        List<Exported> exported = new ArrayList<>();
        String after = position.substring(position.indexOf(SEPARATOR) + 1);
        for (String id : ids) {
            int room = limit - exported.size();
            List<Moved> read = mappings.page(id, after, room);
            read.forEach(moved -> exported.add(new Exported(moved.id(), moved.json())));
            if (read.size() == room) {
                return new ListPage<>(exported, read.get(room - 1).id());
            }
            after = "";
        }
        boolean more = others.size() == MAX_KEYS;
        // The mappings of the last key were read. No id of a name is larger.
        return new ListPage<>(exported, more ? ids.get(ids.size() - 1) + SEPARATOR + "~" : "");
    }

    @Override
    public Entry read(Fields fields) {
        Moved moved = mappings.read(fields);
        return Entry.of(
                moved.id(),
                moved.json(),
                () -> mappings.find(moved).map(Moved::json),
                author -> mappings.write(author, moved));
    }
}
