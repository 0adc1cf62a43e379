package dev.agenthealth.functions.storage.identity;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.identity.Grant;
import dev.agenthealth.model.identity.ProviderGrants;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the owners of workloads, which exist as long as a grant of an identity provider names them. Never cached. Thread-safe. */
public final class WorkloadOwners {

    private final Database database;

    public WorkloadOwners(Database database) {
        this.database = database;
    }

    /** Returns whether an id belongs to an owner of workloads, and not to a key. */
    public boolean isWorkload(String keyId) {
        return keyId.startsWith(Grant.WORKLOAD);
    }

    /** Returns the providers that the agents of an owner may name; empty if no grant names the owner. */
    public Optional<ProviderGrants> find(String keyId) {
        List<Grant> grants = grants().stream()
                .filter(grant -> grant.ownerKeyId().equals(keyId))
                .toList();
        Set<String> ids = new HashSet<>();
        grants.forEach(grant -> ids.addAll(grant.providerIds()));
        return grants.isEmpty() ? Optional.empty() : Optional.of(ProviderGrants.of(ids));
    }

    /** Returns the owners whose agents may name one of these providers. */
    public Set<String> granted(Set<String> providerIds) {
        return grants().stream()
                .filter(grant -> !Collections.disjoint(grant.providerIds(), providerIds))
                .map(Grant::ownerKeyId)
                .collect(Collectors.toSet());
    }

    private List<Grant> grants() {
        // The store is created here, so that without workloads no cold start loads its classes.
        return new IdentityProviderStore(database)
                .all().stream()
                        .flatMap(provider -> provider.grants().stream())
                        .filter(Grant::isOfWorkloads)
                        .toList();
    }
}
