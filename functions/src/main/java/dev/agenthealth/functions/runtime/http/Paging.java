package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.ArrayList;
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

    /** Items that are read at most for a page whose filter leaves most of them out. */
    private static final int MAX_READ = 2_000;

    /** Items that are read together where few match. */
    private static final int MIN_BATCH = 100;

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
     * @throws ApiError 400 naming every bad parameter
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

    /**
     * Items that were read together.
     *
     * @param more whether more items may follow
     */
    public record Batch<T>(List<T> items, boolean more) {

        /** Returns the batch of a read of up to {@code limit} items. Fewer items are the end of the list. */
        public static <T> Batch<T> of(List<T> items, int limit) {
            return new Batch<>(items, items.size() >= limit);
        }
    }

    /** A list whose items are read in their order. */
    @FunctionalInterface
    public interface Source<T> {

        /**
         * Reads items after a position, at most {@code limit}. Fewer although more follow end the page.
         *
         * @param position empty for the beginning
         */
        Batch<T> after(String position, int limit);
    }

    /**
     * The items of a page.
     *
     * @param next the position after which the next page starts; empty at the end of the list
     */
    public record Found<T>(List<T> items, String next) {}

    /**
     * Finds the items of the page that match. Reads on until one more matches, so that no empty page follows, or until many items were read.
     *
     * @param position the position of an item
     * @param maxRead the number of items after which the page ends even if it is not full
     */
    public <T> Found<T> find(Source<T> source, Function<T, String> position, Predicate<T> matches, int maxRead) {
        List<T> found = new ArrayList<>();
        String place = after;
        int read = 0;
        while (true) {
            int wanted = Math.max(toRead() - found.size(), Math.min(read, MIN_BATCH));
            Batch<T> batch = source.after(place, wanted);
            for (T item : batch.items()) {
                if (matches.test(item)) {
                    if (found.size() == limit) {
                        return new Found<>(found, place);
                    }
                    found.add(item);
                }
                place = position.apply(item);
            }
            read += batch.items().size();
            if (!batch.more()) {
                return new Found<>(found, "");
            }
            if (batch.items().size() < wanted || read >= maxRead) {
                return new Found<>(found, place);
            }
        }
    }

    /** The response with all items of the page, of which {@link #toRead} were read. */
    public <T> ApiResponse answer(
            String name, List<T> read, Function<T, String> position, Function<T, ? extends JsonNode> json) {
        return answer(name, (after, limit) -> Batch.of(read, limit), position, item -> true, json);
    }

    /**
     * The response with those items of the page that the caller may see and asked for, as far as they fit into it.
     *
     * @param name the field of the list
     * @param position the position of an item
     */
    public <T> ApiResponse answer(
            String name,
            Source<T> source,
            Function<T, String> position,
            Predicate<T> shown,
            Function<T, ? extends JsonNode> json) {
        Found<T> found = find(source, position, shown, MAX_READ);
        ObjectNode answer = Json.object();
        AnswerItems items = new AnswerItems(answer, name);
        int done = 0;
        while (done < found.items().size() && items.add(json.apply(found.items().get(done)))) {
            done++;
        }
        String next = done < found.items().size() ? position.apply(found.items().get(done - 1)) : found.next();
        if (!next.isEmpty()) {
            answer.put("next_token", PageToken.of(request, next));
        }
        return ApiResponse.json(200, answer);
    }
}
