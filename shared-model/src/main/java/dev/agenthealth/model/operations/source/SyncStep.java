package dev.agenthealth.model.operations.source;

/**
 * The step of a sync for one entry.
 *
 * @param offer the entry; if it is not offered, as it was when its agent was last written
 * @param reason of a conflict, in words for operators; empty for none
 */
public record SyncStep(SyncAction action, Offer offer, String reason) {

    static SyncStep of(SyncAction action, Offer offer) {
        return new SyncStep(action, offer, "");
    }

    static SyncStep of(SyncAction action, ImportedEntry entry) {
        return of(action, new Offer(entry.identifier(), entry.agentId(), entry.digest()));
    }

    static SyncStep conflict(Offer offer, String reason) {
        return new SyncStep(SyncAction.CONFLICT, offer, reason);
    }

    /** Returns whether this step writes anything. */
    public boolean writes() {
        return action != SyncAction.UNCHANGED && action != SyncAction.CONFLICT;
    }
}
