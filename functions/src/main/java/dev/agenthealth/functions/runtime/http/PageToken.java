package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.identity.Caller;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads and writes the parameters of lists in pages: {@code limit} and {@code next_token}.
 *
 * <p>A token is encrypted and valid for one query: the route, its path parameters, the filters, and the caller's key. It does not reveal
 * its position in the list, because the position may belong to an agent that the caller may not see.
 */
public final class PageToken {

    private static final String PARAMETER = "next_token";
    private static final String LIMIT = "limit";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    private static final String RULE = "must be the %s of an earlier page of the same query, requested with"
            + " the same key; without it the list begins anew";

    private PageToken() {}

    /**
     * Returns the token of a position in the requested list.
     *
     * @param free query parameters that may change from page to page, besides {@code limit}
     */
    public static String of(ApiRequest request, String position, String... free) {
        return request.tokenCipher().seal(position, query(request, free));
    }

    /** Puts the token of the next page into a response, unless the list ends. */
    public static void putNext(ObjectNode answer, ApiRequest request, String next) {
        if (!next.isEmpty()) {
            answer.put(PARAMETER, of(request, next));
        }
    }

    /** Returns the {@code limit} of a page: 1 to 1,000, by default 100. Another value is an error of the field. */
    public static int limit(Fields query) {
        return query.integer(LIMIT, 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
    }

    /**
     * Returns the position in the request's token; empty if the request has no token. A token of another query is an error of the field.
     *
     * @param free as in {@link #of}
     */
    public static String position(ApiRequest request, Fields query, String... free) {
        return opened(request, query, PARAMETER, query(request, free));
    }

    /**
     * Returns the token of a position in a list whose filters are in the body.
     *
     * @param question the filters as a text
     */
    public static String ofBody(ApiRequest request, String question, String position) {
        return request.tokenCipher().seal(position, query(request, question));
    }

    /**
     * Returns the position in the token in a field of the body; empty if the field is absent. A token of another query is an error of the
     * field.
     *
     * @param question the filters as a text
     */
    public static String positionInBody(ApiRequest request, String question, Fields body, String field) {
        return opened(request, body, field, query(request, question));
    }

    private static String opened(ApiRequest request, Fields fields, String field, String query) {
        String token = fields.text(field);
        if (token.isEmpty()) {
            return "";
        }
        Optional<String> position = request.tokenCipher().open(token, query);
        if (position.isEmpty()) {
            fields.refuse(field, RULE.formatted(field));
        }
        return position.orElse("");
    }

    private static String query(ApiRequest request, String question) {
        return query(request, request.queryParameters().keySet().toArray(String[]::new)) + question;
    }

    /** Returns the text to which the token is bound. The length precedes each part, so that different queries have different texts. */
    private static String query(ApiRequest request, String... free) {
        Map<String, String> filters = new TreeMap<>(request.queryParameters());
        filters.keySet().removeAll(Set.of(PARAMETER, LIMIT));
        filters.keySet().removeAll(Set.of(free));
        return Stream.concat(
                        Stream.of(
                                request.routeKey(),
                                request.knownCaller().map(Caller::keyId).orElse("")),
                        Stream.of(new TreeMap<>(request.pathParameters()), filters)
                                .flatMap(values -> values.entrySet().stream())
                                .flatMap(value -> Stream.of(value.getKey(), value.getValue())))
                .map(text -> text.length() + ":" + text)
                .collect(Collectors.joining());
    }
}
