package dev.agenthealth.functions.trust;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.model.identity.Caller;
import java.util.List;

/** Finds the agents, or the providers, that a request is about. */
interface Subjects {

    /** How many a page holds where nobody says. */
    int DEFAULT_LIMIT = 100;

    /** How many a page holds at most. */
    int MAX_LIMIT = 1_000;

    /**
     * A page of a list.
     *
     * @param subjects in the order of the list; perhaps fewer than asked for
     * @param nextToken with which the next page is asked for; empty at the end
     */
    record Page(List<KnownSubject> subjects, String nextToken) {}

    /**
     * The one with this id.
     *
     * @throws Problem 404 where there is none, 403 where the caller has nothing to do with it
     */
    KnownSubject find(Caller caller, String id);

    /**
     * A page of those that the caller may see, as {@code limit} and {@code next_token} of the request say.
     *
     * @throws Problem 400 naming every bad parameter
     */
    Page page(ApiRequest request);
}
