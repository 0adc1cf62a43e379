package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;

/** Determines the provider of an agent among the providers that were granted to its owner key. */
final class GrantedProviders {

    private GrantedProviders() {}

    /**
     * Returns the profile with its provider: the named provider, otherwise the only granted provider, otherwise no provider.
     *
     * @throws ApiError 403 if the named provider is not granted; 400 if no provider is named and several are granted
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
