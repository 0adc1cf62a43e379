package dev.agenthealth.functions.storage.keys;

import com.github.f4b6a3.ulid.Ulid;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.usage.UsageLimits;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A stored API key, without its secrets.
 *
 * @param keyId the id by which the key is listed and revoked, and by which it owns agents
 * @param hash hash of its newest secret
 * @param earlier hashes of the earlier secrets, each with the moment at which the secret ends
 * @param role the role of its holder
 * @param name the name for people
 * @param roleIds the agent roles to which a coordinator is limited; empty for all
 * @param providers the providers that its agents may name
 * @param limits the limits beyond its role
 * @param usage the limits that its agents share
 * @param createdAt when it was issued
 * @param revision the number of its changes; each change is conditional on this number
 */
public record ApiKey(
        String keyId,
        KeyHash hash,
        Map<KeyHash, Instant> earlier,
        Role role,
        String name,
        Set<String> roleIds,
        ProviderGrants providers,
        KeyLimits limits,
        UsageLimits usage,
        Instant createdAt,
        long revision) {

    private static final String ID_PREFIX = "key_";

    public ApiKey {
        earlier = Map.copyOf(earlier);
        roleIds = Set.copyOf(roleIds);
    }

    /** Returns the id of a new key. */
    public static String newId() {
        return ID_PREFIX + UlidCreator.getUlid();
    }

    /** Returns whether an id has the form of {@link #newId}. No id of this form belongs to the administrator, a person or a workload. */
    public static boolean isIssuedId(String id) {
        String ulid = id.startsWith(ID_PREFIX) ? id.substring(ID_PREFIX.length()) : "";
        return Ulid.isValid(ulid) && Ulid.from(ulid).toString().equals(ulid);
    }

    /** Returns a key that is issued now. */
    public static ApiKey issued(
            String keyId,
            KeyHash hash,
            Role role,
            String name,
            Set<String> roleIds,
            ProviderGrants providers,
            Instant now) {
        return new ApiKey(
                keyId, hash, Map.of(), role, name, roleIds, providers, KeyLimits.NONE, UsageLimits.NONE, now, 0);
    }

    /** Returns the key with these limits, before it is stored. */
    public ApiKey limitedTo(KeyLimits newLimits) {
        return new ApiKey(keyId, hash, earlier, role, name, roleIds, providers, newLimits, usage, createdAt, revision);
    }

    /** Returns the key with limits that its agents share, before it is stored. */
    public ApiKey sharing(UsageLimits newUsage) {
        return new ApiKey(keyId, hash, earlier, role, name, roleIds, providers, limits, newUsage, createdAt, revision);
    }

    /** Returns the hashes of the valid secrets, the newest first. */
    public List<KeyHash> secretsAt(Instant now) {
        return Stream.concat(
                        Stream.of(hash),
                        earlier.entrySet().stream()
                                .filter(secret -> secret.getValue().isAfter(now))
                                .sorted(Map.Entry.<KeyHash, Instant>comparingByValue(Comparator.reverseOrder()))
                                .map(Map.Entry::getKey))
                .toList();
    }

    /** Returns when a secret ends; {@link Instant#MAX} for the newest secret, {@link Instant#MIN} for a secret of another key. */
    public Instant endOf(KeyHash secret) {
        return secret.equals(hash) ? Instant.MAX : earlier.getOrDefault(secret, Instant.MIN);
    }

    /**
     * Returns the key with a new secret.
     *
     * @param end when the current newest secret ends; if that is now, all earlier secrets end with it
     */
    public ApiKey rotated(KeyHash next, Instant end, Instant now) {
        Map<KeyHash, Instant> kept = new HashMap<>();
        if (end.isAfter(now)) {
            kept.putAll(earlier);
            kept.values().removeIf(ended -> !ended.isAfter(now));
            kept.put(hash, end);
        }
        return new ApiKey(keyId, next, kept, role, name, roleIds, providers, limits, usage, createdAt, revision + 1);
    }

    /** Returns the key with another name, other roles, other providers or other limits. */
    public ApiKey changed(String newName, Set<String> newRoleIds, ProviderGrants newProviders, KeyLimits newLimits) {
        return new ApiKey(
                keyId,
                hash,
                earlier,
                role,
                newName,
                newRoleIds,
                newProviders,
                newLimits,
                usage,
                createdAt,
                revision + 1);
    }

    /** Returns this key with the secrets of another key. */
    public ApiKey withSecretsOf(ApiKey other) {
        return new ApiKey(
                keyId, other.hash, other.earlier, role, name, roleIds, providers, limits, usage, createdAt, revision);
    }

    /** Returns this key as the next change of a stored key. */
    public ApiKey succeeding(ApiKey stored) {
        return new ApiKey(
                keyId, hash, earlier, role, name, roleIds, providers, limits, usage, createdAt, stored.revision + 1);
    }

    /** Returns the mark of a secret. The row of an agent has the mark of the secret of its last heartbeat. */
    public KeyHash credentialOf(KeyHash secret) {
        return limits.isNone() ? secret : secret.ofLimitedKey();
    }

    /** Returns the hashes of all secrets of the key, including ended secrets that are not removed yet. */
    Set<KeyHash> secrets() {
        Set<KeyHash> all = new HashSet<>(earlier.keySet());
        all.add(hash);
        return all;
    }

    /**
     * Returns the owner of the key. All keys of an owner count as one. The owner is the first provider that the key is granted, else the
     * key itself.
     */
    public String ownerName() {
        return providers.ids().stream()
                .min(Comparator.naturalOrder())
                .map("provider:"::concat)
                .orElse(keyId);
    }

    /** Returns this key as a caller. */
    public Caller asCaller() {
        return Caller.ofKey(keyId, name, role, roleIds, credentialOf(hash)).limitedTo(limits);
    }

    /** Returns this key as the owner of agents, with its newest secret. */
    public Owner asOwner() {
        return new Owner(keyId, credentialOf(hash));
    }
}
