package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.List;
import java.util.Optional;

/** Determines the owner of a registered agent, and the provider that the owner's key grants. Thread-safe. */
final class RegistrationOwners {

    private static final String REQUIRED = "is required of an administrator: the id of the key that owns the agent";

    private final Authenticator authenticator;

    RegistrationOwners(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /** Returns the owner that a body names; empty if it names none. Refuses the field of an administrator who names an unknown key. */
    Optional<Owner> named(Caller caller, Fields body) {
        String keyId = body.id(AgentRecordJson.OWNER_KEY_ID);
        if (keyId.isEmpty() || !caller.isAdministrator()) {
            return keyId.isEmpty() ? Optional.empty() : Optional.of(new Owner(keyId, KeyHash.NONE));
        }
        Optional<Owner> owner = authenticator.owner(keyId);
        if (owner.isEmpty()) {
            body.refuse(AgentRecordJson.OWNER_KEY_ID, "must be the id of a key in force that may register agents");
        }
        return owner;
    }

    /**
     * Returns the owner of a registration: the named key, otherwise the caller's key. An administrator's own key becomes an owner only if
     * it is named; otherwise the previous owner stays while its key is in force.
     *
     * @throws ApiError 400 if an administrator names no owner, and there is no previous owner
     */
    Owner of(RegistrationRequest.Sender sender, Owner before) {
        if (!sender.caller().isAdministrator()) {
            return sender.caller().asOwner();
        }
        return sender.named()
                .or(() -> inForce(before))
                .orElseThrow(() -> ApiError.invalid(List.of(new FieldError(AgentRecordJson.OWNER_KEY_ID, REQUIRED))));
    }

    /** Records the error of an administrator who names no owner, if the agent has no previous owner. */
    void require(Caller caller, Optional<Owner> before, Fields body) {
        if (caller.isAdministrator()
                && !body.has(AgentRecordJson.OWNER_KEY_ID)
                && before.flatMap(this::inForce).isEmpty()) {
            body.refuse(AgentRecordJson.OWNER_KEY_ID, REQUIRED);
        }
    }

    private Optional<Owner> inForce(Owner owner) {
        return owner.equals(Owner.NONE) ? Optional.empty() : authenticator.owner(owner.keyId());
    }

    /** Returns the id of the key that will own the agent, if its grants are stored with it; empty if only the previous owner decides. */
    static String expectedKeyId(Caller caller, Optional<Owner> named) {
        String keyId = named.or(() -> caller.isAdministrator() ? Optional.empty() : Optional.of(caller.asOwner()))
                .map(Owner::keyId)
                .orElse("");
        return keyId.equals(Authenticator.ADMINISTRATOR) ? "" : keyId;
    }

    /**
     * Returns the profile with its provider.
     *
     * @param found the stored state, which may have the providers of the owner
     * @throws ApiError as {@link GrantedProviders#apply}
     */
    AgentProfile withProvider(AgentProfile declared, Owner owner, RegistrationLookup.Found found) {
        return GrantedProviders.apply(declared, found.providers(owner).orElseGet(() -> authenticator.providers(owner)));
    }
}
