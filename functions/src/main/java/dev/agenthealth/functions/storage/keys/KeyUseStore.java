package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores the last use of each key. It is separate from the keys, so that a function that checks keys needs no permission to write them.
 * Thread-safe.
 */
public final class KeyUseStore {

    private static final Codec<Use> USE = new Codec<>();
    private static final Attribute<LocalDate> DAY =
            USE.always("day", TEXT.as(LocalDate.EPOCH, LocalDate::toString, LocalDate::parse), Use::day);
    private static final Attribute<String> ADDRESS = USE.always("addr", TEXT, Use::address);

    private final Database database;

    public KeyUseStore(Database database) {
        this.database = database;
    }

    /**
     * The last use of a key.
     *
     * @param day its date in UTC
     * @param address the address of the caller; empty if it is unknown
     */
    public record Use(LocalDate day, String address) {}

    /** Stores the first use of a key on a day, unless another instance did. */
    public void note(String keyId, Use use) {
        database.registry()
                .update(Update.upsert(ItemKind.KEY_USE.key(keyId))
                        .setAll(USE.attributes(use))
                        .when(Condition.absent(Attributes.PK)
                                .or(DAY.isLessThan(use.day()))
                                // A day in the future comes from a clock that ran ahead.
                                .or(Condition.moreThan(
                                        DAY.name(), DAY.stored(use.day().plusDays(1))))));
    }

    /** Returns the last uses of these keys, by their ids. Keys that were never used are left out. */
    public Map<String, Use> of(List<String> keyIds) {
        Map<String, Use> uses = new HashMap<>();
        database.registry()
                .getAll(keyIds.stream().map(ItemKind.KEY_USE::key).toList(), false)
                .forEach(item -> uses.put(ItemKind.KEY_USE.afterPrefix(item), new Use(DAY.of(item), ADDRESS.of(item))));
        return uses;
    }
}
