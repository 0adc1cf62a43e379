package dev.agenthealth.model.operations.source;

/**
 * An entry of a source whose agent was registered.
 *
 * @param agentId the id of its agent
 * @param identifier how the source names it
 * @param digest of all that it declared when its agent was last written
 * @param missed the syncs in a row in which it was missing, up to {@link SyncRule#MISSED_TO_DEREGISTER}
 */
public record ImportedEntry(String agentId, String identifier, String digest, int missed) {

    /** Returns the entry as it is now offered. */
    public static ImportedEntry of(Offer offer) {
        return new ImportedEntry(offer.agentId(), offer.identifier(), offer.digest(), 0);
    }

    /** Returns whether its agent is the source's: it was not deregistered because the entry is missing. */
    public boolean claimsAgent() {
        return missed < SyncRule.MISSED_TO_DEREGISTER;
    }

    /** Returns the entry after so many syncs without it. */
    public ImportedEntry missed(int syncs) {
        return new ImportedEntry(agentId, identifier, digest, syncs);
    }
}
