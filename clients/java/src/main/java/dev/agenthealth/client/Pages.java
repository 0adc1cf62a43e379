package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The items of a list over all of its pages. The next page is requested after the last item of the previous page. Not thread-safe. */
final class Pages implements Iterator<JsonNode> {

    private final Api api;
    private final Supplier<Call> query;
    private final String items;
    private final Deque<JsonNode> waiting = new ArrayDeque<>();
    private String nextToken = "";
    private boolean more = true;

    private Pages(Api api, Supplier<Call> query, String items) {
        this.api = api;
        this.query = query;
        this.items = items;
    }

    /**
     * Returns a lazy stream.
     *
     * @param query the request of the first page
     * @param items the member with the items of a page
     */
    static <T> Stream<T> stream(Api api, Supplier<Call> query, String items, Function<JsonNode, T> reader) {
        int properties = Spliterator.ORDERED | Spliterator.NONNULL;
        Pages pages = new Pages(api, query, items);
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(pages, properties), false)
                .map(reader);
    }

    @Override
    public boolean hasNext() {
        // A filtered page may be empty although others follow.
        while (waiting.isEmpty() && more) {
            JsonNode page = api.send(query.get().query("next_token", nextToken));
            page.path(items).forEach(waiting::addLast);
            nextToken = Json.text(page, "next_token");
            more = !nextToken.isEmpty();
        }
        return !waiting.isEmpty();
    }

    @Override
    public JsonNode next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return waiting.removeFirst();
    }
}
