package dev.agenthealth.functions.storage.keys;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.time.Instant;
import java.util.Set;

/**
 * An API key as it is stored: everything but the key.
 *
 * @param keyId id by which it is listed and revoked
 * @param hash the key's hash
 * @param role what it allows
 * @param name for people
 * @param roleIds the agent roles a coordinator is limited to; empty for all
 * @param createdAt when it was issued
 */
public record ApiKey(String keyId, KeyHash hash, Role role, String name, Set<String> roleIds, Instant createdAt) {

    public ApiKey {
        roleIds = Set.copyOf(roleIds);
    }
}
