package dev.agenthealth.functions.registry.ping;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.FLAG;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.registry.ping.PingAddress.LastPing;
import dev.agenthealth.functions.registry.ping.PingAddress.Token;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the ping address of each agent, until it is revoked, or for {@link #RETENTION} without a ping. Thread-safe. */
public final class PingStore {

    /** As long as archived agents are stored. */
    private static final Duration RETENTION = Duration.ofDays(400);

    private static final AttributeType<KeyHash> HASH = BYTES.as(KeyHash.NONE, KeyHash::bytes, KeyHash::ofBytes);

    private static final Codec<PingAddress> ADDRESS = new Codec<>();
    private static final Attribute<String> OWNER = ADDRESS.always("owner", TEXT, PingAddress::ownerKeyId);
    private static final Codec<Token> BY_OWNER = ADDRESS.part(PingAddress::ofOwner);
    private static final Attribute<KeyHash> SECRET = BY_OWNER.always("hash", HASH, Token::secret);
    private static final Attribute<KeyHash> OWNER_SECRET =
            BY_OWNER.optional("key", HASH, token -> token.issuer().credential());
    private static final Attribute<Instant> ISSUED_AT = BY_OWNER.always("at", MOMENT, Token::issuedAt);
    private static final Codec<Token> BY_ADMINISTRATOR = ADDRESS.part(PingAddress::ofAdministrator);
    private static final Attribute<KeyHash> ADMINISTRATOR_TOKEN =
            BY_ADMINISTRATOR.optional("admin_hash", HASH, Token::secret);
    private static final Attribute<String> ADMINISTRATOR =
            BY_ADMINISTRATOR.optional("admin", TEXT, token -> token.issuer().keyId());
    private static final Attribute<KeyHash> ADMINISTRATOR_SECRET =
            BY_ADMINISTRATOR.optional("admin_key", HASH, token -> token.issuer().credential());
    private static final Attribute<Instant> ADMINISTRATOR_AT =
            BY_ADMINISTRATOR.optional("admin_at", MOMENT, Token::issuedAt);
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

    /** Returns the current address of an agent; empty if it has none. */
    public Optional<PingAddress> find(String agentId) {
        return database.findUnexpired(ItemKind.PING_ADDRESS.key(agentId)).map(PingStore::read);
    }

    /** Returns the current addresses of agents by their ids, without agents without an address. Costs one request for 100 agents. */
    Map<String, PingAddress> findAll(Collection<String> agentIds) {
        Map<Map<String, AttributeValue>, String> keys = new HashMap<>();
        agentIds.forEach(agentId -> keys.put(ItemKind.PING_ADDRESS.key(agentId), agentId));
        Map<String, PingAddress> found = new TreeMap<>();
        registry.getAll(List.copyOf(keys.keySet()), false).stream()
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .forEach(item -> found.put(keys.get(Attributes.keyOf(item)), read(item)));
        return found;
    }

    /**
     * Stores an address with another token. Returns {@code false} if a token was issued or revoked meanwhile. A concurrent ping is
     * overwritten, so that pings never prevent the change.
     *
     * @param seen the address as read; empty if there was none
     */
    public boolean issue(String agentId, Optional<PingAddress> seen, PingAddress after) {
        return registry.put(
                item(agentId, after),
                seen.map(PingStore::sameTokens).orElseGet(() -> Condition.absentOrExpired(database.now())));
    }

    /** Stores the last ping. Returns {@code false} if a token was issued or revoked, or another run started or ended meanwhile. */
    public boolean change(String agentId, PingAddress seen, PingAddress after) {
        Condition sameStart = seen.isStarted() ? STARTED_AT.is(seen.startedAt()) : Condition.absent(STARTED_AT.name());
        return registry.put(item(agentId, after), sameTokens(seen).and(sameStart));
    }

    /** Removes the address of an agent. Returns {@code false} if its tokens changed meanwhile. */
    public boolean remove(String agentId, PingAddress seen) {
        return registry.delete(ItemKind.PING_ADDRESS.key(agentId), sameTokens(seen));
    }

    private static Condition sameTokens(PingAddress seen) {
        KeyHash ofAdministrator = seen.ofAdministrator().secret();
        return SECRET.is(seen.ofOwner().secret())
                .and(
                        ofAdministrator.isNone()
                                ? Condition.absent(ADMINISTRATOR_TOKEN.name())
                                : ADMINISTRATOR_TOKEN.is(ofAdministrator));
    }

    private Map<String, AttributeValue> item(String agentId, PingAddress address) {
        Map<String, AttributeValue> item = ADDRESS.item(ItemKind.PING_ADDRESS.key(agentId), address);
        item.put(Attributes.EXPIRES, seconds(database.now().plus(RETENTION)));
        return item;
    }

    private static PingAddress read(Map<String, AttributeValue> item) {
        return new PingAddress(
                OWNER.of(item),
                new Token(SECRET.of(item), new Owner(OWNER.of(item), OWNER_SECRET.of(item)), ISSUED_AT.of(item)),
                new Token(
                        ADMINISTRATOR_TOKEN.of(item),
                        new Owner(ADMINISTRATOR.of(item), ADMINISTRATOR_SECRET.of(item)),
                        ADMINISTRATOR_AT.of(item)),
                STARTED_AT.of(item),
                new LastPing(LAST_AT.of(item), SIGNAL.of(item), MILLIS.of(item), MESSAGE.of(item), CUT.of(item)));
    }
}
