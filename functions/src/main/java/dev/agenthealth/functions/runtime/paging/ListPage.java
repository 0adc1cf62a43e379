package dev.agenthealth.functions.runtime.paging;

import java.util.List;
import java.util.function.Function;

/**
 * A page of a list.
 *
 * @param items the items in the order of the list; may be fewer than the requested number although more follow
 * @param next the position after which the next page starts; empty at the end of the list
 */
public record ListPage<T>(List<T> items, String next) {

    /**
     * Returns the page of a read of up to {@code limit} items. The list ends if the read returned fewer items.
     *
     * @param position returns the position of an item
     */
    public static <T> ListPage<T> ofRead(List<T> items, int limit, Function<T, String> position) {
        return new ListPage<>(items, items.size() < limit ? "" : position.apply(items.get(items.size() - 1)));
    }

    /** Returns whether more items may follow. */
    public boolean hasMore() {
        return !next.isEmpty();
    }

    /** Returns the page with other items. */
    public <R> ListPage<R> with(List<R> others) {
        return new ListPage<>(others, next);
    }

    /** Returns the page with each item in another form. */
    public <R> ListPage<R> map(Function<T, R> form) {
        return with(items.stream().map(form).toList());
    }
}
