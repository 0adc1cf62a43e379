package dev.agenthealth.model.operations.source;

/**
 * An entry of a source, with the agent that was registered for it.
 *
 * @param agentId the id of the agent
 * @param identifier the name of the entry in the source
 * @param digest the digest of the whole declaration at the last write of the agent
 * @param missed the number of syncs in a row without the entry, up to {@link SyncRule#MISSED_TO_DEREGISTER}
 */
public record ImportedEntry(String agentId, String identifier, String digest, int missed) {

    /** Returns the entry for a present offer. */
    public static ImportedEntry of(Offer offer) {
        return new ImportedEntry(offer.agentId(), offer.identifier(), offer.digest(), 0);
    }

    /** Returns whether the agent belongs to the source: it was not deregistered because of a missing entry. */
    public boolean claimsAgent() {
        return missed < SyncRule.MISSED_TO_DEREGISTER;
    }

    /** Returns the entry after a number of syncs without it. */
    public ImportedEntry missed(int syncs) {
        return new ImportedEntry(agentId, identifier, digest, syncs);
    }
}
