package dev.agenthealth.functions.storage.due;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import java.time.Instant;

/**
 * The attributes of an item in the index of due agents. This item is an agent's health item, or a part of a slice of its outcomes.
 * Entries are sorted by the time at which the health is due to be computed.
 */
public final class DueEntry {

    /** The due time of health that is due at once. It sorts before every moment. */
    public static final String AT_ONCE = "0";

    /** The attribute of a health item with the time since which it is due, if it is due at once. */
    public static final String SINCE = "ms";

    /** The attribute of a health item with the number of times that the health became due. A computation settles only the number that it has seen. */
    public static final String NUMBER = "n";

    /** The attribute of a health item that says whether the agent is personal. */
    public static final String PERSONAL = "pers";

    private DueEntry() {}

    /** Makes the health of an agent due at once. Repeating it changes nothing in the index. */
    public static Update ofHealth(String agentId, Database database) {
        return Update.upsert(ItemKind.HEALTH.key(agentId))
                .setDue(partition(agentId, database), AT_ONCE)
                .setIfAbsent(SINCE, moment(database.now()))
                .add(NUMBER, n(1));
    }

    /**
     * Makes the health of an agent due because its profile is written. The health of a returning agent no longer expires, and a personal
     * agent is marked as personal at once.
     */
    public static Update ofHealth(String agentId, boolean personal, Database database) {
        Update update = ofHealth(agentId, database).remove(Attributes.EXPIRES);
        return personal ? update.set(PERSONAL, n(1)) : update.remove(PERSONAL);
    }

    /** Returns a partition of the index. */
    public static String partition(int number) {
        return "Q#" + number;
    }

    /** Returns the partition of an agent's entries. */
    public static String partition(String agentId, Database database) {
        return partition(Math.floorMod(agentId.hashCode(), database.duePartitions()));
    }

    /** Returns a due time in the form by which the index sorts. */
    public static String dueAt(Instant moment) {
        return Attributes.padded(moment.getEpochSecond(), 10);
    }
}
