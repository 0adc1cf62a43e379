package dev.agenthealth.model.identity;

/**
 * The key that owns an agent or a lease.
 *
 * @param keyId the id of the key
 * @param credential the hash of the secret that the agent used last; {@link KeyHash#NONE} after the key was revoked
 */
public record Owner(String keyId, KeyHash credential) {

    /** No owner. */
    public static final Owner NONE = new Owner("", KeyHash.NONE);
}
