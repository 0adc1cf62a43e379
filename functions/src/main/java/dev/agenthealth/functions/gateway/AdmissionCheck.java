package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether an agent may be called (ServiceNet, Trust records): from what is stored as of now, every time anew. Thread-safe.
 */
final class AdmissionCheck {

    /** An unhealthy agent is silent, which does not have to mean that it does not listen. */
    private static final Set<LifecycleStatus> CALLABLE = Set.of(LifecycleStatus.ACTIVE, LifecycleStatus.UNHEALTHY);

    private final AgentStore agents;
    private final BlockStore blocks;
    private final AddressCheck addresses;

    AdmissionCheck(Stores stores, AddressCheck addresses) {
        this.agents = stores.agents();
        this.blocks = stores.blocks();
        this.addresses = addresses;
    }

    /** The decision; of several reasons against a call the first one in the order of the specification. */
    Admission admit(String agentId) {
        Optional<StoredAgent> found = agents.find(agentId);
        if (found.isEmpty()) {
            return new Admission.Refused(InvocationFailure.AGENT_NOT_FOUND);
        }
        AgentProfile agent = found.get().profile();
        BlockStore.Blocks decided = blocks.of(agentId, agent.providerId());
        if (decided.ofProvider().inForce()) {
            return new Admission.Refused(InvocationFailure.PROVIDER_BLOCKED);
        }
        if (decided.ofAgent().inForce()) {
            return new Admission.Refused(InvocationFailure.AGENT_BLOCKED);
        }
        if (!CALLABLE.contains(found.get().pulse().status())) {
            return new Admission.Refused(InvocationFailure.AGENT_NOT_ACTIVE);
        }
        if (agent.endpoint().isEmpty()) {
            return new Admission.Refused(InvocationFailure.NO_ENDPOINT);
        }
        Optional<Endpoint> endpoint = Endpoint.of(agent.endpoint()).filter(addresses::mayBeCalled);
        return endpoint.isPresent()
                ? new Admission.Admitted(agent, endpoint.get())
                : new Admission.Refused(InvocationFailure.ENDPOINT_NOT_ALLOWED);
    }
}
