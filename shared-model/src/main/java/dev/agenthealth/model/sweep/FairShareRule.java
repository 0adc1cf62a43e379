package dev.agenthealth.model.sweep;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Divides an allowance among owners, max-min fair. An owner that asks for at most an equal share gets all of it. The others divide the rest
 * equally.
 */
public final class FairShareRule {

    private FairShareRule() {}

    /**
     * The shares of all owners.
     *
     * @param byOwner the share of each owner that asked; their sum is the allowance or the sum of all demands, whichever is smaller
     * @param cursor the last owner that got a remaining unit; the next division begins after it
     */
    public record Shares(Map<Long, Long> byOwner, long cursor) {

        public Shares {
            byOwner = Map.copyOf(byOwner);
        }
    }

    /**
     * Divides an allowance. Units that remain go to one owner each, in the order of their numbers and beginning after the cursor, so that each
     * owner has its turn.
     *
     * @param allowance the allowance, at least 0
     * @param demands the demands by the owner's number, each at least 0
     * @param cursor the cursor of the previous division; any number at first
     */
    public static Shares share(long allowance, Map<Long, Long> demands, long cursor) {
        Map<Long, Long> shares = new HashMap<>();
        List<Map.Entry<Long, Long>> open = new ArrayList<>(demands.entrySet());
        open.sort(Map.Entry.comparingByValue());
        long left = allowance;
        int next = 0;
        while (next < open.size() && open.get(next).getValue() <= left / (open.size() - next)) {
            left -= open.get(next).getValue();
            shares.put(open.get(next).getKey(), open.get(next).getValue());
            next++;
        }
        List<Map.Entry<Long, Long>> unmet = open.subList(next, open.size());
        if (unmet.isEmpty()) {
            return new Shares(shares, cursor);
        }
        long equal = left / unmet.size();
        TreeMap<Long, Long> inTurn = new TreeMap<>();
        unmet.forEach(owner -> inTurn.put(owner.getKey(), equal));
        shares.putAll(inTurn);
        long last = cursor;
        for (long units = left % unmet.size(); units > 0; units--) {
            Long following = inTurn.higherKey(last);
            last = following == null ? inTurn.firstKey() : following;
            shares.merge(last, 1L, Long::sum);
        }
        return new Shares(shares, last);
    }
}
