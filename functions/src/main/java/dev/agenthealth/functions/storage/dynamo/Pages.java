package dev.agenthealth.functions.storage.dynamo;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Iterates over pages. Requests each page when the iteration reaches it. Not thread-safe. */
final class Pages implements Iterator<Page> {

    private final Function<Map<String, AttributeValue>, Page> request;
    private Map<String, AttributeValue> start = Map.of();
    private boolean more = true;

    /** @param request reads the page after a key, which is empty for the first page */
    Pages(Function<Map<String, AttributeValue>, Page> request) {
        this.request = request;
    }

    @Override
    public boolean hasNext() {
        return more;
    }

    @Override
    public Page next() {
        if (!more) {
            throw new NoSuchElementException();
        }
        Page page = request.apply(start);
        start = page.lastKey();
        more = page.hasMore();
        return page;
    }
}
