package dev.agenthealth.functions.storage.keys;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT_SET;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.usage.UsageLimitsText;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.address.AddressBlock;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.SharedLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The items of an API key: one for each of its secrets, and one by its id. This class owns their attribute names. */
public final class KeyItem {

    static final AttributeType<KeyHash> HASH_TYPE = BYTES.as(KeyHash.NONE, KeyHash::bytes, KeyHash::ofBytes);

    private static final Codec<ApiKey> KEY = new Codec<>();
    static final Attribute<String> KEY_ID = KEY.always("id", TEXT, ApiKey::keyId);
    static final Attribute<KeyHash> HASH = KEY.always("hash", HASH_TYPE, ApiKey::hash);
    private static final Attribute<String> ROLE =
            KEY.always("role", TEXT, key -> key.role().wireName());
    private static final Attribute<String> NAME = KEY.always("name", TEXT, ApiKey::name);
    private static final Attribute<Set<String>> ROLE_IDS = KEY.always("roles", TEXT_SET, ApiKey::roleIds);
    private static final Attribute<Set<String>> PROVIDER_IDS =
            KEY.always("providers", TEXT_SET, key -> key.providers().ids());
    private static final Attribute<Instant> CREATED_AT = KEY.always("created", MOMENT, ApiKey::createdAt);
    private static final Attribute<Map<KeyHash, Instant>> EARLIER =
            KEY.always("earlier", TEXTS.as(Map.of(), KeyItem::texts, KeyItem::earlier), ApiKey::earlier);
    private static final Attribute<Instant> EXPIRES_AT =
            KEY.optional("ends", MOMENT, key -> key.limits().expiresAt().orElse(Instant.EPOCH));
    private static final Attribute<List<AddressBlock>> ADDRESSES =
            KEY.optional("nets", TEXTS.as(List.of(), KeyItem::written, KeyItem::blocks), key -> key.limits()
                    .addresses());
    private static final Attribute<Set<KeyAction>> ACTIONS =
            KEY.optional("actions", AttributeType.wireNames(KeyAction.class), key -> key.limits()
                    .actions());
    static final Attribute<UsageLimits> USAGE = KEY.optional("usage", UsageLimitsText.TYPE, ApiKey::usage);
    static final Attribute<Long> REVISION = KEY.optional("rev", NUMBER, ApiKey::revision);

    /** Separates the hash of an earlier secret from its end. */
    private static final String END = " ";

    private KeyItem() {}

    /** Returns the item of a key at a place. */
    static Map<String, AttributeValue> of(Map<String, AttributeValue> place, ApiKey key) {
        return KEY.item(place, key);
    }

    /** Returns the providers that the agents of a key in force may name; {@link ProviderGrants#NONE} if it has ended. */
    static ProviderGrants providers(Map<String, AttributeValue> item, Instant now) {
        return limits(EXPIRES_AT.of(item), List.of(), Set.of()).hasEnded(now)
                ? ProviderGrants.NONE
                : ProviderGrants.of(PROVIDER_IDS.of(item));
    }

    /** Returns the key of an item; empty for an empty item. */
    static Optional<ApiKey> read(Map<String, AttributeValue> item) {
        return Optional.of(item)
                .filter(found -> !found.isEmpty())
                .map(found -> new ApiKey(
                        KEY_ID.of(found),
                        HASH.of(found),
                        EARLIER.of(found),
                        WireNamed.find(Role.class, ROLE.of(found))
                                .orElseThrow(() -> new IllegalStateException("a stored key has no role")),
                        NAME.of(found),
                        ROLE_IDS.of(found),
                        ProviderGrants.of(PROVIDER_IDS.of(found)),
                        limits(EXPIRES_AT.of(found), ADDRESSES.of(found), ACTIONS.of(found)),
                        USAGE.of(found),
                        CREATED_AT.of(found),
                        REVISION.of(found)));
    }

    /** @param end {@link Instant#EPOCH} if the key does not end */
    private static KeyLimits limits(Instant end, List<AddressBlock> addresses, Set<KeyAction> actions) {
        return new KeyLimits(Optional.of(end).filter(set -> set.isAfter(Instant.EPOCH)), addresses, actions);
    }

    /** Returns the limits that the agents of a key share, from their item. */
    public static SharedLimit limits(Map<String, AttributeValue> item) {
        return new SharedLimit(LimitHolder.owner(ItemKind.OWNER_LIMITS.afterPrefix(item)), USAGE.of(item));
    }

    private static List<String> written(List<AddressBlock> blocks) {
        return blocks.stream().map(AddressBlock::text).toList();
    }

    private static List<AddressBlock> blocks(List<String> texts) {
        return texts.stream().flatMap(text -> AddressBlock.of(text).stream()).toList();
    }

    private static List<String> texts(Map<KeyHash, Instant> earlier) {
        return earlier.entrySet().stream()
                .map(secret -> secret.getKey().hex() + END + secret.getValue())
                .toList();
    }

    private static Map<KeyHash, Instant> earlier(List<String> texts) {
        return texts.stream()
                .map(secret -> secret.split(END))
                .collect(Collectors.toMap(parts -> KeyHash.ofHex(parts[0]), parts -> Instant.parse(parts[1])));
    }
}
