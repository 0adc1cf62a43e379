package dev.agenthealth.model.operations.source;

/**
 * The step of a sync for one entry.
 *
 * @param offer the entry; if it is not offered, the entry at the last write of its agent
 * @param reason the reason of a conflict, in words for operators; empty without a conflict
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
