package dev.agenthealth.functions.health.trust;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.model.identity.Caller;

/** Finds the agents or providers of a request. */
interface Subjects {

    /**
     * Returns the subject with this id.
     *
     * @throws ApiError 404 if it is unknown; 403 if the caller may not see it
     */
    RatedSubject find(Caller caller, String id);

    /**
     * Returns the subject with this id, also if it is unknown but was blocked.
     *
     * @throws ApiError as {@link #find}
     */
    RatedSubject findEvenBlocked(Caller caller, String id);

    /** Returns the subject with this id, even if it is unknown, for an administrator who blocks it. */
    RatedSubject findEvenUnknown(Caller administrator, String id);

    /** Returns whether a list shows only blocked subjects: {@code blocked=true}. Records an error for a value that is not a boolean. */
    static boolean onlyBlocked(Fields query) {
        return query.oneOf("blocked", "true", "false").map(Boolean::valueOf).orElse(false);
    }

    /**
     * Returns a page of the subjects that the caller may see, by {@code limit} and {@code next_token} of the request.
     *
     * @param forHealth whether providers and expectations of agents are needed; otherwise they may be missing
     * @throws ApiError 400 naming every bad parameter
     */
    ListPage<RatedSubject> page(ApiRequest request, boolean forHealth);
}
