package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.identity.Caller;

/** The callers of a route. {@link AgentAccess} checks the access to single agents where they are read. */
public enum Access {
    /** No key is required, and none is read. */
    PUBLIC,

    /** No key is required, but a key that is sent has to be valid. */
    OPTIONAL_KEY,

    /** A key is required and not looked up: the handler compares its hash with the agent's and looks it up where they differ. */
    UNVERIFIED_KEY,

    /** Every valid key. */
    ANY_KEY,

    /** The key of the agent in the path, its coordinators, viewers and administrators: the handler finds the agent by {@link AgentAccess}. */
    AGENT,

    /** The key of the agent in the path, and administrators: the handler finds the agent by {@link AgentAccess}. */
    OWNER,

    /** Coordinators, viewers and administrators. One of some roles gets what belongs to these roles. */
    COORDINATOR,

    /** Administrators, and coordinators and viewers that are not limited to some roles. */
    COORDINATOR_OF_ALL_ROLES,

    /** Administrators. */
    ADMINISTRATOR;

    /**
     * Checks the role of a caller whose key is valid.
     *
     * @param changes whether the route changes something, which viewers may not
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

    /** Returns whether a caller with a valid key may do this; which agents it may see is checked where they are read. */
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
