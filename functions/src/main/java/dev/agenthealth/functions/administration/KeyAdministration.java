package dev.agenthealth.functions.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.http.AnswerItems;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.PageToken;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Issues, lists and revokes API keys. The response to an issue is the only place that shows a key; its hash is stored. Thread-safe. */
final class KeyAdministration {

    private static final int KEY_BYTES = 32;
    private static final int MAX_NAME = 200;
    private static final int MAX_ROLES = 100;
    private static final Set<Role> LIMITABLE = Set.of(Role.COORDINATOR, Role.VIEWER);

    private final KeyStore keys;
    private final Clock clock;
    private final Log log;

    KeyAdministration(KeyStore keys, Clock clock, Log log) {
        this.keys = keys;
        this.clock = clock;
        this.log = log;
    }

    /** {@code POST /v1/admin/keys}: issues a key and returns it. */
    ApiResponse issue(ApiRequest request) {
        Fields body = request.fields();
        body.require("role");
        String word = body.text("role", 64);
        Optional<Role> role = Role.ofWord(word);
        if (!word.isEmpty() && role.isEmpty()) {
            body.refuse("role", "must be agent, viewer, coordinator or administrator");
        }
        String name = body.text("name", MAX_NAME);
        Set<String> roleIds = Set.copyOf(body.texts("role_ids", MAX_ROLES, Ids.MAX_LENGTH));
        if (roleIds.stream().anyMatch(id -> !Ids.isValid(id))) {
            body.refuse("role_ids", "must be role ids, each of which " + Ids.RULE);
        }
        if (body.has("role_ids") && roleIds.isEmpty()) {
            body.refuse("role_ids", "must name at least one role; without the field, the key is for all roles");
        } else if (!roleIds.isEmpty() && role.filter(LIMITABLE::contains).isEmpty()) {
            body.refuse("role_ids", "may only limit a coordinator or a viewer");
        }
        body.refuseUnknown();
        body.check();
        String apiKey = newKey();
        ApiKey key = new ApiKey(
                "key_" + UlidCreator.getUlid(),
                KeyHash.ofKey(apiKey),
                role.orElseThrow(),
                name,
                roleIds,
                clock.instant());
        keys.add(key);
        log.info(
                "key_issued",
                Map.of(
                        "key_id",
                        key.keyId(),
                        "role",
                        key.role().word(),
                        "by",
                        request.caller().keyId()));
        ObjectNode json = json(key);
        json.put("api_key", apiKey);
        return ApiResponse.json(201, json);
    }

    /** {@code GET /v1/admin/keys}: a page of the valid keys. */
    ApiResponse list(ApiRequest request) {
        Fields query = request.queryFields();
        String after = PageToken.position(request, query);
        int limit = PageToken.limit(query);
        query.check();
        List<ApiKey> page = keys.page(after, limit + 1);
        ObjectNode json = Json.object();
        AnswerItems items = new AnswerItems(json, "keys");
        items.addAll(page.stream().limit(limit).map(KeyAdministration::json));
        if (page.size() > items.size()) {
            json.put(
                    "next_token",
                    PageToken.of(request, page.get(items.size() - 1).keyId()));
        }
        return ApiResponse.json(200, json);
    }

    /** {@code DELETE /v1/admin/keys/{key_id}}. */
    ApiResponse revoke(ApiRequest request) {
        String keyId = request.pathId("key_id");
        if (!keys.revoke(keyId)) {
            throw Problem.notFound("key_not_found", "No key in force has the id '" + keyId + "'.");
        }
        log.info("key_revoked", Map.of("key_id", keyId, "by", request.caller().keyId()));
        return ApiResponse.noContent();
    }

    private static ObjectNode json(ApiKey key) {
        ObjectNode json = Json.object();
        json.put("key_id", key.keyId());
        json.put("role", key.role().word());
        json.put("name", key.name());
        ArrayNode roleIds = json.putArray("role_ids");
        key.roleIds().stream().sorted().forEach(roleIds::add);
        json.put("created_at", key.createdAt().toString());
        return json;
    }

    private static String newKey() {
        byte[] bytes = new byte[KEY_BYTES];
        // Not kept in a field: all instances of a snapshot would draw the same numbers.
        new SecureRandom().nextBytes(bytes);
        return "ahk_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
