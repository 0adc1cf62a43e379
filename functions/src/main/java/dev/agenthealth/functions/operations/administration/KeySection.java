package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.HashFields;
import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.registry.LimitFields;
import dev.agenthealth.functions.registry.telemetry.SpanMappings;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.CredentialEnds;
import dev.agenthealth.functions.storage.keys.KeySecret;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Role;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys in the document of a registry's configuration. A document has the hashes of secrets and no secret. A registry that imports a key
 * accepts the secret that its holder has. Thread-safe.
 */
final class KeySection implements Section {

    private static final String KEY_ID = "key_id";
    private static final String HASH = "secret_sha256";
    private static final String EARLIER = "earlier_secrets";
    private static final String ENDS_AT = "ends_at";
    private static final String CREATED_AT = "created_at";

    /** The field that says whether unmapped names in spans of the key register agents. */
    private static final String AUTO_REGISTER = "auto_register";

    private final KeyAdministration administration;
    private final KeyStore keys;
    private final TelemetryStore telemetry;
    private final SpanMappings mappings;
    private final Clock clock;

    KeySection(KeyAdministration administration, Database database, Clock clock) {
        this.administration = administration;
        this.keys = new KeyStore(database);
        this.telemetry = new TelemetryStore(database);
        this.mappings = new SpanMappings(database, clock);
        this.clock = clock;
    }

    @Override
    public String name() {
        return "keys";
    }

    @Override
    public String idField(Fields object) {
        return KEY_ID;
    }

    @Override
    public ListPage<Exported> export(String position, int limit) {
        List<ApiKey> page = keys.page(position, limit);
        Set<String> registering =
                telemetry.registering(page.stream().map(ApiKey::keyId).toList());
        return ListPage.ofRead(page, limit, ApiKey::keyId)
                .map(key -> new Exported(key.keyId(), declared(key, registering.contains(key.keyId()))));
    }

    @Override
    public Entry read(Fields fields) {
        fields.require(KEY_ID);
        fields.require("role");
        String keyId = fields.id(KEY_ID);
        Optional<Role> role = fields.oneOf("role", Role.class);
        if (!keyId.isEmpty() && !ApiKey.isIssuedId(keyId)) {
            fields.refuse(KEY_ID, "must be an id that a registry issues, such as key_01ARZ3NDEKTSV4RRFFQ69G5FAV");
        }
        Map<String, String> secrets = new LinkedHashMap<>();
        Optional<KeyHash> hash = HashFields.read(fields, HASH);
        hash.ifPresent(found -> secrets.put(HASH, beginning(found)));
        Instant createdAt = fields.timestamp(CREATED_AT).orElseGet(clock::instant);
        ApiKey wanted = new ApiKey(
                keyId,
                hash.orElseGet(() -> KeyHash.ofKey(KeySecret.random())),
                earlier(fields, secrets),
                role.orElse(Role.VIEWER),
                fields.textOrEmpty("name", KeyAdministration.MAX_NAME),
                KeyAdministration.roleIds(fields, role),
                KeyAdministration.providers(fields),
                // A key that has expired stays expired.
                KeyLimitFields.of(fields, KeyLimits.NONE, Instant.EPOCH),
                LimitFields.shared(fields),
                createdAt,
                0);
        boolean registers = fields.flag(AUTO_REGISTER, false);
        fields.refuseUnknown();
        Optional<ApiKey> before = keyId.isEmpty() ? Optional.empty() : keys.find(keyId);
        ApiKey complete =
                hash.isPresent() ? wanted : before.map(wanted::withSecretsOf).orElse(wanted);
        return Entry.of(keyId, declared(complete, registers), () -> current(complete), author -> {
                    write(author, complete);
                    mappings.configure(author, keyId, registers);
                })
                .withUnique(secrets)
                .needing(hash.isPresent() || before.isPresent() ? List.of() : List.of("api_key"));
    }

    /** Returns the present key in the form of the document. */
    private Optional<ObjectNode> current(ApiKey wanted) {
        Optional<ApiKey> before = keys.find(wanted.keyId());
        check(before, wanted);
        return before.map(key -> declared(key, telemetry.registers(key.keyId())));
    }

    /** Returns the part of a hash by which items of the store differ. */
    private static String beginning(KeyHash hash) {
        return hash.hex().substring(0, CredentialEnds.HASH_DIGITS);
    }

    /** Returns the earlier secrets that have not ended, and adds them to the secrets by field. */
    private Map<KeyHash, Instant> earlier(Fields fields, Map<String, String> secrets) {
        Map<KeyHash, Instant> earlier = new HashMap<>();
        List<Fields> objects = fields.objects(EARLIER, KeyAdministration.MAX_EARLIER + 1);
        for (int i = 0; i < objects.size(); i++) {
            Fields secret = objects.get(i);
            String place = EARLIER + "[" + i + "]." + HASH;
            secret.require(HASH);
            secret.require(ENDS_AT);
            Optional<KeyHash> hash = HashFields.read(secret, HASH);
            Instant end = secret.timestamp(ENDS_AT).orElse(Instant.EPOCH);
            hash.filter(found -> end.isAfter(clock.instant())).ifPresent(found -> {
                earlier.put(found, end);
                secrets.put(place, beginning(found));
            });
            secret.refuseUnknown();
        }
        return earlier;
    }

    private void write(Author author, ApiKey wanted) {
        OptimisticUpdates.untilDone(() -> {
            Optional<ApiKey> before = keys.find(wanted.keyId());
            check(before, wanted);
            if (before.isEmpty()) {
                return administration
                        .recording(author, "key.imported", wanted.keyId(), Json.object(), administration.json(wanted))
                        .addIfUnknown(wanted);
            }
            ApiKey seen = before.get();
            return administration
                    .recording(
                            author,
                            "key.changed",
                            wanted.keyId(),
                            administration.json(seen),
                            administration.json(wanted))
                    .change(seen, wanted.succeeding(seen));
        });
    }

    /** Refuses another role, and secrets that another key has: two holders would have the same key. */
    private void check(Optional<ApiKey> before, ApiKey wanted) {
        before.filter(seen -> seen.role() != wanted.role()).ifPresent(seen -> {
            throw ApiError.conflict(
                    "role_of_key", "The key exists with the role " + seen.role().wireName() + ", which never changes.");
        });
        for (KeyHash hash : wanted.secretsAt(clock.instant())) {
            // A key that has expired keeps its secret: an administrator may extend it.
            keys.findEvenExpired(hash)
                    .filter(other -> !other.keyId().equals(wanted.keyId()))
                    .ifPresent(other -> {
                        throw ApiError.conflict(
                                "secret_in_use", "The key '" + other.keyId() + "' has the same secret.");
                    });
        }
    }

    private ObjectNode declared(ApiKey key, boolean registers) {
        ObjectNode json = administration.json(key).without(List.of("all_roles", "earlier_secrets_end_at"));
        if (key.roleIds().isEmpty()) {
            json.remove("role_ids");
        }
        json.put(AUTO_REGISTER, registers);
        json.put(HASH, key.hash().hex());
        ArrayNode earlier = json.putArray(EARLIER);
        Instant now = clock.instant();
        key.earlier().entrySet().stream()
                .filter(secret -> secret.getValue().isAfter(now))
                .sorted(Map.Entry.comparingByKey(Comparator.comparing(KeyHash::hex)))
                .forEach(secret -> earlier.addObject()
                        .put(HASH, secret.getKey().hex())
                        .put(ENDS_AT, Timestamps.text(secret.getValue())));
        return json;
    }
}
