package dev.agenthealth.model.identity;

/**
 * The key that owns an agent or a lease.
 *
 * @param keyId id of the key; empty where a version that knew hashes only wrote the owner: then the hash decides
 * @param credential hash of the key's secret that the agent used last; {@link KeyHash#NONE} once the key was revoked
 */
public record Owner(String keyId, KeyHash credential) {

    /** No owner. */
    public static final Owner NONE = new Owner("", KeyHash.NONE);

    /** Whether the key is known by its id. */
    public boolean hasKeyId() {
        return !keyId.isEmpty();
    }

    /** What decides about the owner: the id of the key without its secret, else the hash. */
    public Owner identity() {
        return hasKeyId() ? new Owner(keyId, KeyHash.NONE) : this;
    }
}
