package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.BurialRule;
import dev.agenthealth.model.lifecycle.DrainRule;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.SilenceRule;
import java.time.Instant;
import java.util.Set;

/**
 * Tells which rows a pass may have to write to.
 *
 * @param amnestyFrom silence before this moment does not count
 * @param now the moment of the pass
 * @param revoked credentials that no agent may beat with any more
 */
record DueRows(Instant amnestyFrom, Instant now, Set<KeyHash> revoked) {

    boolean isDue(Pulse pulse) {
        return hasRevokedCredential(pulse)
                || SilenceRule.due(pulse, amnestyFrom, now).isPresent()
                || pulse.status() == LifecycleStatus.DRAINING
                        && DrainRule.end(pulse, now).isPresent()
                || pulse.cleanUpOf() != Pulse.NOTHING_TO_CLEAN_UP
                || BurialRule.isDue(pulse, now);
    }

    boolean hasRevokedCredential(Pulse pulse) {
        return !revoked.isEmpty() && revoked.contains(pulse.credential());
    }
}
