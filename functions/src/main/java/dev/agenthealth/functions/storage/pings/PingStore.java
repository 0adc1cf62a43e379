package dev.agenthealth.functions.storage.pings;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.pings.PingAddress.LastPing;
import dev.agenthealth.model.identity.KeyHash;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The ping address of each agent, kept until it is revoked, or for {@link #RETENTION} without a ping. Thread-safe. */
public final class PingStore {

    /** As long as an archived agent is known. */
    private static final Duration RETENTION = Duration.ofDays(400);

    private static final Codec<PingAddress> ADDRESS = new Codec<>();
    private static final Attribute<byte[]> SECRET =
            ADDRESS.always("hash", BYTES, address -> address.secret().bytes());
    private static final Attribute<String> OWNER = ADDRESS.always("owner", TEXT, PingAddress::ownerKeyId);
    private static final Attribute<Instant> ISSUED_AT = ADDRESS.always("at", MOMENT, PingAddress::issuedAt);
    private static final Attribute<Instant> STARTED_AT = ADDRESS.optional("start", MOMENT, PingAddress::startedAt);
    private static final Codec<LastPing> LAST = ADDRESS.part(PingAddress::last);
    private static final Attribute<Instant> LAST_AT = LAST.optional("last", MOMENT, LastPing::at);
    private static final Attribute<String> SIGNAL = LAST.optional("signal", TEXT, LastPing::signal);
    private static final Attribute<Long> MILLIS =
            LAST.optional("ms", NUMBER.or(LastPing.NO_DURATION), LastPing::millis);
    private static final Attribute<String> MESSAGE = LAST.optional("message", TEXT, LastPing::message);
    private static final Attribute<Boolean> CUT = LAST.optional("cut", FLAG, LastPing::cut);

    private final Database database;
    private final Table registry;

    public PingStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** The address of an agent as of now; empty where it has none. */
    public Optional<PingAddress> find(String agentId) {
        return database.findUnexpired(ItemKind.PING_ADDRESS.key(agentId)).map(PingStore::read);
    }

    /** Stores an address in place of an earlier one. */
    public void put(String agentId, PingAddress address) {
        registry.put(item(agentId, address));
    }

    /** Stores what a ping said; {@code false} where the address was replaced or revoked, or another ping came meanwhile. */
    public boolean change(String agentId, PingAddress seen, PingAddress after) {
        Condition sameStart = seen.isStarted() ? STARTED_AT.is(seen.startedAt()) : Condition.absent(STARTED_AT.name());
        return registry.put(
                item(agentId, after), SECRET.is(seen.secret().bytes()).and(sameStart));
    }

    /** Removes the address of an agent; {@code false} where it is no longer the one that was read. */
    public boolean remove(String agentId, PingAddress seen) {
        return registry.delete(
                ItemKind.PING_ADDRESS.key(agentId), SECRET.is(seen.secret().bytes()));
    }

    private Map<String, AttributeValue> item(String agentId, PingAddress address) {
        Map<String, AttributeValue> item = ADDRESS.item(ItemKind.PING_ADDRESS.key(agentId), address);
        item.put(Attributes.EXPIRES, seconds(database.now().plus(RETENTION)));
        return item;
    }

    private static PingAddress read(Map<String, AttributeValue> item) {
        return new PingAddress(
                KeyHash.ofBytes(SECRET.of(item)),
                OWNER.of(item),
                ISSUED_AT.of(item),
                STARTED_AT.of(item),
                new LastPing(LAST_AT.of(item), SIGNAL.of(item), MILLIS.of(item), MESSAGE.of(item), CUT.of(item)));
    }
}
