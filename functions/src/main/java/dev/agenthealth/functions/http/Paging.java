package dev.agenthealth.functions.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A page of a list that is read by the positions of its items.
 *
 * @param after the position after which the page starts; empty for the first page
 * @param limit the maximum number of items
 */
public record Paging(ApiRequest request, String after, int limit) {

    /** The page that a query asks for; a bad {@code limit} or {@code next_token} is an error of its field. */
    public static Paging of(ApiRequest request, Fields query) {
        int limit = PageToken.limit(query);
        return new Paging(request, PageToken.position(request, query), limit);
    }

    /** Returns the page with at most this many items, whatever its limit. */
    public Paging atMost(int items) {
        return new Paging(request, after, Math.min(limit, items));
    }

    /**
     * The page that a query without other parameters asks for.
     *
     * @throws Problem 400 naming every bad parameter
     */
    public static Paging of(ApiRequest request) {
        Fields query = request.queryFields();
        Paging paging = of(request, query);
        query.check();
        return paging;
    }

    /** The number of items to read: one more than are shown, by which the end of the list is known. */
    public int toRead() {
        return limit + 1;
    }

    /** The items of the page. */
    public <T> List<T> shown(List<T> read) {
        return read.subList(0, Math.min(limit, read.size()));
    }

    /** The token of the next page; empty at the end of the list. */
    public <T> String nextToken(List<T> read, Function<T, String> position) {
        return read.size() > limit ? PageToken.of(request, position.apply(read.get(limit - 1))) : "";
    }

    /** The response with all items of the page. */
    public <T> ApiResponse answer(
            String name, List<T> read, Function<T, String> position, Function<T, ? extends JsonNode> json) {
        return answer(name, read, position, item -> true, json);
    }

    /**
     * The response with those items of the page that the caller may see and asked for, as far as they fit into it.
     *
     * @param name the field of the list
     * @param read up to {@link #toRead} items
     * @param position the position of an item
     */
    public <T> ApiResponse answer(
            String name,
            List<T> read,
            Function<T, String> position,
            Predicate<T> shown,
            Function<T, ? extends JsonNode> json) {
        ObjectNode answer = Json.object();
        AnswerItems items = new AnswerItems(answer, name);
        int done = 0;
        while (done < Math.min(limit, read.size())
                && (!shown.test(read.get(done)) || items.add(json.apply(read.get(done))))) {
            done++;
        }
        if (done < read.size()) {
            answer.put("next_token", PageToken.of(request, position.apply(read.get(done - 1))));
        }
        return ApiResponse.json(200, answer);
    }
}
