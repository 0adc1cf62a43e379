package dev.agenthealth.functions.storage.dynamo;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Iterates over the items of all pages, requesting each page when it is reached. Not thread-safe. */
final class Pages implements Iterator<Map<String, AttributeValue>> {

    private final Function<Map<String, AttributeValue>, Page> request;
    private Iterator<Map<String, AttributeValue>> items;
    private Map<String, AttributeValue> lastKey;

    /**
     * @param request reads the page that begins after a key, which is empty for the first page
     */
    Pages(Function<Map<String, AttributeValue>, Page> request) {
        this.request = request;
        read(Map.of());
    }

    @Override
    public boolean hasNext() {
        while (!items.hasNext() && !lastKey.isEmpty()) {
            read(lastKey);
        }
        return items.hasNext();
    }

    @Override
    public Map<String, AttributeValue> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return items.next();
    }

    private void read(Map<String, AttributeValue> start) {
        Page page = request.apply(start);
        items = page.items().iterator();
        lastKey = page.lastKey();
    }
}
