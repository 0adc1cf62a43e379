package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.identity.Caller;

/** The callers that may use a route. {@link AgentAccess} checks the access to single agents when a handler reads them. */
public enum Access {
    /** The route requires no key and reads none. */
    PUBLIC,

    /** The route requires no key, but a key that is sent has to be valid. */
    OPTIONAL_KEY,

    /**
     * The route requires a key but does not look it up. The handler compares the hash of the key with the agent's hash, and looks the key
     * up if they differ.
     */
    UNVERIFIED_KEY,

    /** Every valid key may use the route. */
    ANY_KEY,

    /** The key of the agent in the path, its coordinators, viewers and administrators. The handler finds the agent by {@link AgentAccess}. */
    AGENT,

    /** The key of the agent in the path, and administrators. The handler finds the agent by {@link AgentAccess}. */
    OWNER,

    /** Coordinators, viewers and administrators. A caller that is limited to some roles gets only agents and data of these roles. */
    COORDINATOR,

    /** Administrators, and coordinators and viewers that are not limited to some roles. */
    COORDINATOR_OF_ALL_ROLES,

    /** Administrators. */
    ADMINISTRATOR;

    /**
     * Checks the role of a caller with a valid key.
     *
     * @param changes whether the route changes something; viewers may not change anything
     * @throws ApiError 403
     */
    public void check(Caller caller, boolean changes) {
        String readers = changes ? "" : ", viewers";
        switch (this) {
            case COORDINATOR ->
                require(caller.mayListAgents(), "Only coordinators" + readers + " and administrators may do this.");
            case COORDINATOR_OF_ALL_ROLES ->
                require(
                        caller.mayListAgents() && caller.roleIds().isEmpty(),
                        "Only coordinators" + readers
                                + " and administrators may do this, and only without a limit to roles.");
            case ADMINISTRATOR -> require(caller.isAdministrator(), "Only an administrator may do this.");
            default -> {
                // Every valid key may call these routes.
            }
        }
        require(!changes || caller.mayChange(), "A viewer reads and changes nothing.");
    }

    /** Returns whether a caller with a valid key may use the route. The access to single agents is checked when a handler reads them. */
    public boolean isOpenTo(Caller caller, boolean changes) {
        try {
            check(caller, changes);
            return true;
        } catch (ApiError refused) {
            return false;
        }
    }

    private static void require(boolean allowed, String rule) {
        if (!allowed) {
            throw ApiError.forbidden(rule);
        }
    }
}
