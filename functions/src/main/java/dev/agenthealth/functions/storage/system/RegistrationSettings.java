package dev.agenthealth.functions.storage.system;

import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.Set;

/**
 * The part of the configuration item that registrations need.
 *
 * @param defaultWindow the window of agents that declare none
 * @param maxAgentsPerKey live agents of one key from which on it registers no further one
 * @param ownersAtQuota numbers of the owners that had so many agents when the sweep last counted
 */
public record RegistrationSettings(MeasurementWindow defaultWindow, int maxAgentsPerKey, Set<Long> ownersAtQuota) {

    public RegistrationSettings {
        ownersAtQuota = Set.copyOf(ownersAtQuota);
    }

    /** Returns whether this owner has as many live agents as it may have. */
    public boolean isAtQuota(Owner owner) {
        return ownersAtQuota.contains(OwnerCounts.numberOf(owner));
    }
}
