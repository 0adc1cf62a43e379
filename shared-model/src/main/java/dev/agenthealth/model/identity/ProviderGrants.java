package dev.agenthealth.model.identity;

import java.util.Optional;
import java.util.Set;

/**
 * The providers that the agents of a key may name.
 *
 * @param any whether the agents may name every provider, as with the deployment's own key
 * @param ids the granted providers; empty if {@code any} is true
 */
public record ProviderGrants(boolean any, Set<String> ids) {

    /** Every provider. */
    public static final ProviderGrants ANY = new ProviderGrants(true, Set.of());

    /** No provider. */
    public static final ProviderGrants NONE = new ProviderGrants(false, Set.of());

    public ProviderGrants {
        ids = Set.copyOf(ids);
    }

    /** These providers. */
    public static ProviderGrants of(Set<String> ids) {
        return new ProviderGrants(false, ids);
    }

    /** Returns whether an agent may name this provider. */
    public boolean permit(String providerId) {
        return any || ids.contains(providerId);
    }

    /**
     * Returns the provider of an agent that names none: the only granted one, or an empty text for no provider. Absent if the agent has to choose
     * one of several.
     */
    public Optional<String> byDefault() {
        return ids.size() > 1
                ? Optional.empty()
                : Optional.of(ids.stream().findFirst().orElse(""));
    }
}
