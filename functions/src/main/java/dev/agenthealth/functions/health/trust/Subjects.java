package dev.agenthealth.functions.health.trust;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.identity.Caller;
import java.util.List;

/** Finds the agents, or the providers, of a request. */
interface Subjects {

    /**
     * A page of a list.
     *
     * @param subjects in the order of the list; may be fewer than the limit
     * @param nextToken the token of the next page; empty at the end
     */
    record Page(List<RatedSubject> subjects, String nextToken) {}

    /**
     * The subject with this id.
     *
     * @throws ApiError 404 where it is unknown, 403 where the caller may not see it
     */
    RatedSubject find(Caller caller, String id);

    /**
     * The subject with this id, also one that is unknown and was blocked.
     *
     * @throws ApiError as {@link #find}
     */
    RatedSubject findEvenBlocked(Caller caller, String id);

    /**
     * The subject with this id, even if it is unknown, for an administrator who blocks it.
     */
    RatedSubject findEvenUnknown(Caller administrator, String id);

    /** Returns whether a list shows blocked subjects only: {@code blocked=true}; a value that is no boolean is an error of the parameter. */
    static boolean onlyBlocked(Fields query) {
        return query.oneOf("blocked", "true", "false").map(Boolean::valueOf).orElse(false);
    }

    /**
     * A page of those that the caller may see, as {@code limit} and {@code next_token} of the request say.
     *
     * @param forHealth whether providers and expectations of agents are needed; without, they may be missing
     * @throws ApiError 400 naming every bad parameter
     */
    Page page(ApiRequest request, boolean forHealth);
}
