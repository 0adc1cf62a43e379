package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The API keys of a registry, for administrators. Every method throws {@link AgentHealthException} if its request fails. Thread-safe. */
public final class Keys {

    private static final String KEYS = "/v1/admin/keys";

    private final Api api;

    Keys(Api api) {
        this.api = api;
    }

    /** Returns the keys that are not revoked. */
    public Stream<KeyRecord> stream() {
        return Pages.stream(api, () -> Call.get(KEYS), "keys", KeyRecord::new);
    }

    /** Issues a key without limits beyond its role: {@link #issue(String, String, List, List, KeyLimits)}. */
    public IssuedKey issue(String role, String name, List<String> roleIds, List<String> providerIds) {
        return issue(role, name, roleIds, providerIds, KeyLimits.NONE);
    }

    /**
     * Issues a key. The request is not retried after a lost answer, since the key may be issued.
     *
     * @param role agent, coordinator, viewer or administrator
     * @param name for people; empty for none
     * @param roleIds the roles that a coordinator or viewer is limited to; empty for all
     * @param providerIds the providers that agents of the key may name; empty for none
     */
    public IssuedKey issue(String role, String name, List<String> roleIds, List<String> providerIds, KeyLimits limits) {
        ObjectNode body = Json.object().put("role", role).put("name", name);
        if (!roleIds.isEmpty()) {
            body.set("role_ids", Json.of(roleIds));
        }
        if (!providerIds.isEmpty()) {
            body.set("provider_ids", Json.of(providerIds));
        }
        limits.putInto(body);
        return IssuedKey.of(
                (ObjectNode) api.send(Call.post(KEYS).notAfterSilence().body(body)));
    }

    /**
     * Gives a key a new secret.
     *
     * @param overlap the time for which the previous secret stays valid
     */
    public IssuedKey rotate(String keyId, Duration overlap) {
        Call call = Call.post(KEYS).segment(keyId).path("/rotate").notAfterSilence();
        return IssuedKey.of(
                (ObjectNode) api.send(call.body(Json.object().put("overlap_seconds", overlap.toSeconds()))));
    }

    /** Revokes a key, which is refused everywhere within a minute. */
    public void revoke(String keyId) {
        api.send(Call.delete(KEYS).segment(keyId));
    }
}
