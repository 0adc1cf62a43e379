package dev.agenthealth.model.identity;

import java.util.Optional;
import java.util.Set;

/**
 * The providers that the agents of a key may name.
 *
 * @param any whether they may name every provider: those of the deployment's own key
 * @param ids the providers that are granted; empty if {@code any} is true
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

    /** Returns the provider of an agent that names none, which is empty for no provider; absent if it must name one of several. */
    public Optional<String> byDefault() {
        return ids.size() > 1
                ? Optional.empty()
                : Optional.of(ids.stream().findFirst().orElse(""));
    }
}
