package dev.agenthealth.functions.storage.identity;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.Grant;
import dev.agenthealth.model.identity.IdentityProvider;
import dev.agenthealth.model.identity.Role;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores identity providers in one partition: there are few providers, and all are read at once. Thread-safe. */
public final class IdentityProviderStore {

    /** Separates ids. No id contains it. */
    private static final String SEPARATOR = ",";

    private static final Grant NO_GRANT = new Grant("", "", Role.VIEWER, Set.of(), "", Set.of());
    private static final AttributeType<Grant> GRANT =
            TEXTS.as(NO_GRANT, IdentityProviderStore::texts, IdentityProviderStore::grant);

    private static final Codec<IdentityProvider> PROVIDER = new Codec<>();
    private static final Attribute<String> ISSUER = PROVIDER.always("issuer", TEXT, IdentityProvider::issuer);
    private static final Attribute<List<String>> AUDIENCES =
            PROVIDER.always("audiences", TEXTS, IdentityProvider::audiences);
    private static final Attribute<String> CLIENT_ID = PROVIDER.optional("client", TEXT, IdentityProvider::clientId);
    private static final Attribute<String> SCOPES = PROVIDER.optional("scopes", TEXT, IdentityProvider::scopes);
    private static final Attribute<List<String>> ALGORITHMS =
            PROVIDER.always("algorithms", TEXTS, IdentityProvider::algorithms);
    private static final Attribute<String> JWKS = PROVIDER.optional("jwks", TEXT, IdentityProvider::jwks);
    private static final Attribute<String> TRUST_DOMAIN =
            PROVIDER.optional("trust_domain", TEXT, IdentityProvider::trustDomain);
    private static final Attribute<List<Grant>> GRANTS =
            PROVIDER.always("grants", GRANT.listed(), IdentityProvider::grants);
    private static final Attribute<Instant> CREATED_AT =
            PROVIDER.always("created", MOMENT, IdentityProvider::createdAt);
    private static final Attribute<Long> VERSION = PROVIDER.always("ver", NUMBER, IdentityProvider::version);

    /**
     * The number of changes of all providers. By this number, rules for all providers together hold for the stored state, such as one
     * provider per issuer.
     */
    private static final Attribute<Long> CHANGES = new Attribute<>("n", NUMBER);

    private final Database database;
    private final Table registry;

    public IdentityProviderStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * All providers.
     *
     * @param providers the providers by name
     * @param changes the number of changes before the providers were read
     */
    public record Known(List<IdentityProvider> providers, long changes) {

        public Optional<IdentityProvider> find(String name) {
            return providers.stream()
                    .filter(provider -> provider.name().equals(name))
                    .findFirst();
        }
    }

    /** Returns all providers by name, as of now. */
    public List<IdentityProvider> all() {
        return read(
                registry,
                Query.partition(ItemKind.IDENTITY_PROVIDER.partition()).consistent());
    }

    /** Returns all providers, as of now, for a change. */
    public Known known() {
        // The number is read first: a write between the two reads refuses the change.
        long changes = CHANGES.of(registry.get(ItemKind.IDENTITY_CHANGES.key()));
        return new Known(all(), changes);
    }

    static List<IdentityProvider> read(Table registry, Query query) {
        return registry.all(query).map(IdentityProviderStore::read).toList();
    }

    /** Writes a provider. Returns {@code false} if any provider was changed since all were read. */
    public boolean write(IdentityProvider provider, Known seen) {
        return changing(seen)
                .put(registry, PROVIDER.item(ItemKind.IDENTITY_PROVIDER.key(provider.name()), provider))
                .commit();
    }

    /** Removes a provider. Returns {@code false} if any provider was changed since all were read. */
    public boolean remove(String name, Known seen) {
        return changing(seen)
                .delete(registry, ItemKind.IDENTITY_PROVIDER.key(name))
                .commit();
    }

    private Transaction changing(Known seen) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.IDENTITY_CHANGES.key());
        CHANGES.put(item, seen.changes() + 1);
        return database.transaction()
                .put(
                        registry,
                        item,
                        seen.changes() == 0 ? Condition.absent(Attributes.PK) : CHANGES.is(seen.changes()));
    }

    private static IdentityProvider read(Map<String, AttributeValue> item) {
        return new IdentityProvider(
                Values.text(item, Attributes.SK),
                new IdentityProvider.AcceptedTokens(
                        ISSUER.of(item), AUDIENCES.of(item), ALGORITHMS.of(item), JWKS.of(item), TRUST_DOMAIN.of(item)),
                new IdentityProvider.SignIn(CLIENT_ID.of(item), SCOPES.of(item)),
                GRANTS.of(item),
                CREATED_AT.of(item),
                VERSION.of(item));
    }

    private static List<String> texts(Grant grant) {
        return List.of(
                grant.claim(),
                grant.value(),
                grant.role().wireName(),
                grant.owner(),
                joined(grant.roleIds()),
                joined(grant.providerIds()));
    }

    private static Grant grant(List<String> texts) {
        return new Grant(
                texts.get(0),
                texts.get(1),
                WireNamed.find(Role.class, texts.get(2)).orElseThrow(),
                split(texts.get(4)),
                texts.get(3),
                split(texts.get(5)));
    }

    private static String joined(Set<String> ids) {
        return ids.stream().sorted().collect(Collectors.joining(SEPARATOR));
    }

    private static Set<String> split(String ids) {
        return ids.isEmpty() ? Set.of() : Arrays.stream(ids.split(SEPARATOR)).collect(Collectors.toSet());
    }
}
