package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;

/** The provider of an agent: one that its owner key was granted. */
final class GrantedProviders {

    private GrantedProviders() {}

    /**
     * A profile with its provider: the one that it names, else the only one that is granted, else none.
     *
     * @throws ApiError 403 where the named one is not granted, 400 where none is named and several are granted
     */
    static AgentProfile apply(AgentProfile declared, ProviderGrants grants) {
        String named = declared.description().providerId();
        if (named.isEmpty()) {
            return declared.of(grants.byDefault()
                    .orElseThrow(() -> ApiError.invalid(List.of(new FieldError(
                            "provider_id", "is required: the key that owns the agent is granted several")))));
        }
        if (!grants.permit(named)) {
            throw ApiError.forbidden("The provider '" + named + "' is not granted to the key that owns the agent.");
        }
        return declared;
    }
}
