package dev.agenthealth.model.sweep;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Orders the work of a pass so that owners take turns: the first item of each owner, then the second item of each, and so on. If the work stops at
 * any point, time was shared max-min fair, as {@link FairShareRule} shares numbers.
 */
public final class TurnRule {

    private TurnRule() {}

    /** Returns all items in the order of turns. Items of one owner keep their order. */
    public static <T> List<T> inTurns(Collection<? extends T> items, ToLongFunction<? super T> owner) {
        return inTurns(items, owner, Integer.MAX_VALUE);
    }

    /**
     * Returns items in the order of turns. Items of one owner keep their order.
     *
     * @param most the number of items of each owner that are returned; the last items of larger owners are left out
     */
    public static <T> List<T> inTurns(Collection<? extends T> items, ToLongFunction<? super T> owner, int most) {
        Map<Long, Integer> seen = new LinkedHashMap<>();
        List<List<T>> rounds = new ArrayList<>();
        for (T item : items) {
            int round = seen.merge(owner.applyAsLong(item), 1, Integer::sum) - 1;
            if (round >= most) {
                continue;
            }
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(item);
        }
        List<T> inTurns = new ArrayList<>(items.size());
        rounds.forEach(inTurns::addAll);
        return inTurns;
    }
}
