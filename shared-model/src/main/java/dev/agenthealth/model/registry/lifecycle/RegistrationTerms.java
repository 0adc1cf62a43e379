package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.identity.Owner;

/**
 * The terms of an agent's registration.
 *
 * @param owner the key that owns the agent; {@link Owner#NONE} without an owner
 * @param config the heartbeat interval and the thresholds
 * @param coordination the role, the drain timeout and the pending drain
 */
public record RegistrationTerms(Owner owner, HeartbeatConfig config, Coordination coordination) {

    RegistrationTerms with(Coordination newCoordination) {
        return new RegistrationTerms(owner, config, newCoordination);
    }
}
