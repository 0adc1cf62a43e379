package dev.agenthealth.functions.storage.due;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import java.time.Instant;

/**
 * The attributes by which an item stands in the index of due agents: an agent's health item, or a part of a slice of its outcomes. Entries
 * sort by when the health is to be computed.
 */
public final class DueEntry {

    /** The due time of what is due at once: it sorts before every moment. */
    public static final String AT_ONCE = "0";

    /** On a health item: since when it is due, where it is due at once. */
    public static final String SINCE = "ms";

    /** On a health item: how often the health became due. A computation settles only what it has seen. */
    public static final String NUMBER = "n";

    /** On a health item: whether the agent is personal. */
    public static final String PERSONAL = "pers";

    private DueEntry() {}

    /** Makes the health of an agent due at once. Repeating it changes nothing in the index. */
    public static Update ofHealth(String agentId, Database database) {
        return Update.upsert(ItemKind.HEALTH.key(agentId))
                .setDue(partition(agentId, database), AT_ONCE)
                .setIfAbsent(SINCE, moment(database.now()))
                .add(NUMBER, n(1));
    }

    /** Makes the health of an agent due whose profile is written: a returning agent's health no longer expires, and a personal agent is known as one at once. */
    public static Update ofHealth(String agentId, boolean personal, Database database) {
        Update update = ofHealth(agentId, database).remove(Attributes.EXPIRES);
        return personal ? update.set(PERSONAL, n(1)) : update.remove(PERSONAL);
    }

    /** A partition of the index. */
    public static String partition(int number) {
        return "Q#" + number;
    }

    /** The partition of an agent's entries. */
    public static String partition(String agentId, Database database) {
        return partition(Math.floorMod(agentId.hashCode(), database.duePartitions()));
    }

    /** A due time as the index sorts it. */
    public static String dueAt(Instant moment) {
        return Attributes.padded(moment.getEpochSecond(), 10);
    }
}
