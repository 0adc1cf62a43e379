package dev.agenthealth.functions.gateway;

import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.profile.AgentProfile;

/** Whether an agent may be called now. */
sealed interface Admission {

    /** It may, as far as that can be said before its host's name is resolved. */
    record Admitted(AgentProfile agent, Endpoint endpoint) implements Admission {}

    /** It may not. */
    record Refused(InvocationFailure reason) implements Admission {}
}
