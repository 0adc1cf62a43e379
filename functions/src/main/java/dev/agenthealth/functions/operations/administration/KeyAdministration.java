package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.registry.LimitFields;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeySecret;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.keys.KeyUseStore;
import dev.agenthealth.functions.storage.telemetry.TelemetryStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Issues, lists, changes, rotates and revokes API keys. Only the responses that issue or rotate a key show its secret. The database stores its
 * hash. Thread-safe.
 */
final class KeyAdministration {

    static final int MAX_NAME = 200;
    private static final int MAX_ROLES = 100;
    private static final Set<Role> LIMITABLE = Set.of(Role.COORDINATOR, Role.VIEWER);
    private static final int MAX_PROVIDERS = 100;

    /** The maximum number of earlier secrets that still work. */
    static final int MAX_EARLIER = 3;

    private static final int DEFAULT_OVERLAP_SECONDS = 86_400;
    private static final int MAX_OVERLAP_SECONDS = 30 * 86_400;

    /** The minimum overlap. Functions cache a secret for a shorter time, so that no secret works after its end. */
    private static final int MIN_OVERLAP_SECONDS = 60;

    private static final String NAME = "name";
    private static final String ROLE_IDS = "role_ids";
    private static final String PROVIDER_IDS = "provider_ids";

    private final Database database;
    private final KeyStore keys;
    private final KeyUseStore uses;
    private final TelemetryStore telemetry;
    private final Clock clock;
    private final Log log;

    KeyAdministration(Database database, Clock clock, Log log) {
        this.database = database;
        this.keys = new KeyStore(database);
        this.uses = new KeyUseStore(database);
        this.telemetry = new TelemetryStore(database);
        this.clock = clock;
        this.log = log;
    }

    /** {@code POST /v1/admin/keys}: issues a key and returns it. */
    ApiResponse issue(ApiRequest request) {
        Fields body = request.fields();
        body.require("role");
        String word = body.text("role", 64);
        Optional<Role> role = WireNamed.find(Role.class, word);
        if (!word.isEmpty() && role.isEmpty()) {
            body.refuse("role", "must be agent, viewer, coordinator or administrator");
        }
        String name = body.textOrEmpty(NAME, MAX_NAME);
        Set<String> roleIds = roleIds(body, role);
        ProviderGrants providers = providers(body);
        KeyLimits limits = KeyLimitFields.of(body, KeyLimits.NONE, clock.instant());
        UsageLimits usage = LimitFields.shared(body);
        body.refuseUnknown();
        body.check();
        String apiKey = KeySecret.random();
        ApiKey key = ApiKey.issued(
                        ApiKey.newId(),
                        KeyHash.ofKey(apiKey),
                        role.orElseThrow(),
                        name,
                        roleIds,
                        providers,
                        clock.instant())
                .limitedTo(limits)
                .sharing(usage);
        recording(request.author(), "key.issued", key.keyId(), Json.object(), json(key))
                .add(key);
        log.info(
                "key_issued",
                Map.of(
                        "key_id",
                        key.keyId(),
                        "role",
                        key.role().wireName(),
                        "by",
                        request.caller().keyId()));
        ObjectNode json = json(key);
        json.put("api_key", apiKey);
        return ApiResponse.json(201, json);
    }

    /** {@code GET /v1/admin/keys}: a page of the keys that are not revoked. */
    ApiResponse list(ApiRequest request) {
        Paging paging = Paging.of(request);
        List<ApiKey> page = keys.page(paging.after(), paging.toRead());
        Map<String, KeyUseStore.Use> last =
                uses.of(page.stream().map(ApiKey::keyId).toList());
        return paging.answer(
                "keys", page, ApiKey::keyId, key -> withUse(json(key), Optional.ofNullable(last.get(key.keyId()))));
    }

    private static ObjectNode withUse(ObjectNode json, Optional<KeyUseStore.Use> use) {
        String from = use.map(KeyUseStore.Use::address)
                .filter(address -> !address.isEmpty())
                .orElse(null);
        return json.put("last_used_on", use.map(one -> one.day().toString()).orElse(null))
                .put("last_used_from", from);
    }

    /** {@code PATCH /v1/admin/keys/{key_id}}: changes name, roles, providers and limits. A missing field stays, and null clears a field. */
    ApiResponse change(ApiRequest request) {
        String keyId = request.pathId("key_id");
        ApiKey changed = OptimisticUpdates.untilPresent(() -> {
            ApiKey key = find(keyId);
            Fields body = request.fields();
            String name = body.mentions(NAME) ? body.textOrEmpty(NAME, MAX_NAME) : key.name();
            Set<String> roleIds = body.mentions(ROLE_IDS) ? roleIds(body, Optional.of(key.role())) : key.roleIds();
            ProviderGrants providers = body.mentions(PROVIDER_IDS) ? providers(body) : key.providers();
            KeyLimits limits = KeyLimitFields.of(body, key.limits(), clock.instant());
            UsageLimits usage = body.mentions(LimitFields.LIMITS) ? LimitFields.shared(body) : key.usage();
            body.refuseUnknown();
            body.check();
            ApiKey after = key.changed(name, roleIds, providers, limits).sharing(usage);
            return recording(request.author(), "key.changed", keyId, json(key), json(after))
                            .change(key, after)
                    ? Optional.of(after)
                    : Optional.empty();
        });
        log.info("key_changed", Map.of("key_id", keyId, "by", request.caller().keyId()));
        return ApiResponse.json(200, json(changed));
    }

    /**
     * {@code POST /v1/admin/keys/{key_id}/rotate}: gives the key a new secret and returns it. Earlier secrets work for another
     * {@code overlap_seconds}. If that is 0, all of them end.
     */
    ApiResponse rotate(ApiRequest request) {
        String keyId = request.pathId("key_id");
        Fields body = request.optionalFields();
        int overlapSeconds =
                body.integer("overlap_seconds", 0, MAX_OVERLAP_SECONDS).orElse(DEFAULT_OVERLAP_SECONDS);
        if (overlapSeconds > 0 && overlapSeconds < MIN_OVERLAP_SECONDS) {
            body.refuse("overlap_seconds", "must be 0, or from " + MIN_OVERLAP_SECONDS + " to " + MAX_OVERLAP_SECONDS);
        }
        body.refuseUnknown();
        body.check();
        String apiKey = KeySecret.random();
        ApiKey rotated = OptimisticUpdates.untilPresent(() -> {
            ApiKey key = find(keyId);
            Instant now = clock.instant();
            if (overlapSeconds > 0 && key.secretsAt(now).size() > MAX_EARLIER) {
                throw ApiError.conflict(
                        "too_many_secrets",
                        "The key '" + keyId + "' has " + MAX_EARLIER
                                + " earlier secrets that still work. With overlap_seconds 0, all of them end.");
            }
            ApiKey after = key.rotated(KeyHash.ofKey(apiKey), now.plusSeconds(overlapSeconds), now);
            ObjectNode overlap = Json.object().put("overlap_seconds", overlapSeconds);
            return recording(request.author(), "key.rotated", keyId, Json.object(), overlap)
                            .change(key, after)
                    ? Optional.of(after)
                    : Optional.empty();
        });
        log.info(
                "key_rotated",
                Map.of(
                        "key_id",
                        keyId,
                        "overlap_seconds",
                        overlapSeconds,
                        "by",
                        request.caller().keyId()));
        return ApiResponse.json(200, json(rotated).put("api_key", apiKey));
    }

    /** {@code DELETE /v1/admin/keys/{key_id}}: revokes a key. */
    ApiResponse revoke(ApiRequest request) {
        String keyId = request.pathId("key_id");
        OptimisticUpdates.untilDone(() -> {
            ApiKey key = find(keyId);
            return recording(request.author(), "key.revoked", keyId, json(key), Json.object())
                    .revoke(key);
        });
        telemetry.removeAll(keyId);
        log.info("key_revoked", Map.of("key_id", keyId, "by", request.caller().keyId()));
        return ApiResponse.noContent();
    }

    KeyStore recording(Author author, String action, String keyId, ObjectNode before, ObjectNode after) {
        AuditObject key = new AuditObject("key", keyId);
        return AuditStore.recording(database, AuditEntry.of(author, action, key, before, after), KeyStore::new);
    }

    private ApiKey find(String keyId) {
        return keys.find(keyId).orElseThrow(() -> unknown(keyId));
    }

    private static ApiError unknown(String keyId) {
        return ApiError.notFound("key_not_found", "No key in force has the id '" + keyId + "'.");
    }

    static Set<String> roleIds(Fields body, Optional<Role> role) {
        Set<String> roleIds = ids(body, ROLE_IDS, MAX_ROLES);
        if (body.has(ROLE_IDS) && roleIds.isEmpty()) {
            body.refuse(ROLE_IDS, "must name at least one role; without the field, the key is for all roles");
        } else if (!roleIds.isEmpty() && role.filter(LIMITABLE::contains).isEmpty()) {
            body.refuse(ROLE_IDS, "may only limit a coordinator or a viewer");
        }
        return roleIds;
    }

    static ProviderGrants providers(Fields body) {
        return ProviderGrants.of(ids(body, PROVIDER_IDS, MAX_PROVIDERS));
    }

    private static Set<String> ids(Fields body, String field, int maxCount) {
        return Set.copyOf(body.ids(field, maxCount));
    }

    ObjectNode json(ApiKey key) {
        ObjectNode json = Json.object();
        json.put("key_id", key.keyId());
        json.put("role", key.role().wireName());
        json.put("name", key.name());
        ArrayNode roleIds = json.putArray(ROLE_IDS);
        key.roleIds().stream().sorted().forEach(roleIds::add);
        ArrayNode providerIds = json.putArray(PROVIDER_IDS);
        key.providers().ids().stream().sorted().forEach(providerIds::add);
        json.put("all_roles", LIMITABLE.contains(key.role()) && key.roleIds().isEmpty());
        KeyLimitFields.put(json, key.limits());
        LimitFields.put(json, key.usage());
        json.put("created_at", Timestamps.text(key.createdAt()));
        Instant now = clock.instant();
        ArrayNode ends = json.putArray("earlier_secrets_end_at");
        key.earlier().values().stream().filter(now::isBefore).sorted().forEach(end -> ends.add(Timestamps.text(end)));
        return json;
    }
}
