package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
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

    /** The maximum number of items that are read for a page if its filter excludes most items. */
    private static final int MAX_READ = 2_000;

    /** The number of items that are read together if few items match. */
    private static final int MIN_BATCH = 100;

    /** Returns the page that a query requests. A bad {@code limit} or {@code next_token} is an error of its field. */
    public static Paging of(ApiRequest request, Fields query) {
        int limit = PageToken.limit(query);
        return new Paging(request, PageToken.position(request, query), limit);
    }

    /** Returns the page with at most {@code items} items, whatever its limit. */
    public Paging atMost(int items) {
        return new Paging(request, after, Math.min(limit, items));
    }

    /**
     * Returns the page that a query without other parameters requests.
     *
     * @throws ApiError 400 naming every bad parameter
     */
    public static Paging of(ApiRequest request) {
        Fields query = request.queryFields();
        Paging paging = of(request, query);
        query.check();
        return paging;
    }

    /** Returns the number of items to read: the page's items and one more, which shows whether the list continues. */
    public int toRead() {
        return limit + 1;
    }

    /**
     * Returns the page of a read of {@link #toRead} items.
     *
     * @param position returns the position of an item
     */
    public <T> ListPage<T> of(List<T> read, Function<T, String> position) {
        return read.size() > limit
                ? ListPage.ofRead(read.subList(0, limit), limit, position)
                : new ListPage<>(read, "");
    }

    /** A list whose items are read in order. */
    @FunctionalInterface
    public interface Source<T> {

        /**
         * Reads at most {@code limit} items after a position. If the read has fewer items although more follow, the page ends.
         *
         * @param position empty for the beginning
         */
        ListPage<T> after(String position, int limit);
    }

    /**
     * Finds the matching items of the page. Reads until it finds one item more than the page holds, so that no empty page follows, or until
     * it has read many items.
     *
     * @param position returns the position of an item
     * @param maxRead the number of items after which the page ends even if it is not full
     */
    public <T> ListPage<T> find(Source<T> source, Function<T, String> position, Predicate<T> matches, int maxRead) {
        List<T> found = new ArrayList<>();
        String place = after;
        int read = 0;
        while (true) {
            int wanted = Math.max(toRead() - found.size(), Math.min(read, MIN_BATCH));
            ListPage<T> batch = source.after(place, wanted);
            for (T item : batch.items()) {
                if (matches.test(item)) {
                    if (found.size() == limit) {
                        return new ListPage<>(found, place);
                    }
                    found.add(item);
                }
                place = position.apply(item);
            }
            read += batch.items().size();
            if (!batch.hasMore()) {
                return new ListPage<>(found, "");
            }
            if (batch.items().size() < wanted || read >= maxRead) {
                return new ListPage<>(found, place);
            }
        }
    }

    /** Returns the response with all items of the page. The caller has read {@link #toRead} items. */
    public <T> ApiResponse answer(
            String name, List<T> read, Function<T, String> position, Function<T, ? extends JsonNode> json) {
        return answer(name, (after, limit) -> ListPage.ofRead(read, limit, position), position, item -> true, json);
    }

    /**
     * Returns the response with the items of the page that the caller may see and asked for, as far as they fit into the response.
     *
     * @param name the field of the list
     * @param position returns the position of an item
     */
    public <T> ApiResponse answer(
            String name,
            Source<T> source,
            Function<T, String> position,
            Predicate<T> shown,
            Function<T, ? extends JsonNode> json) {
        ListPage<T> found = find(source, position, shown, MAX_READ);
        ObjectNode answer = Json.object();
        AnswerItems items = new AnswerItems(answer, name);
        int done = 0;
        while (done < found.items().size() && items.add(json.apply(found.items().get(done)))) {
            done++;
        }
        String next = done < found.items().size() ? position.apply(found.items().get(done - 1)) : found.next();
        PageToken.putNext(answer, request, next);
        return ApiResponse.json(200, answer);
    }
}
