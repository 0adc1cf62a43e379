package dev.agenthealth.model.window;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The width of an agent's slices, and those that they had lately: a batch that is sent again after the measurement window was changed belongs
 * into slices of the width with which it was counted.
 *
 * @param current the width that goes with the window which the agent declares now, in seconds
 * @param former the widths before, in the order in which they were changed
 */
public record WidthHistory(int current, List<FormerWidth> former) {

    /** More changes than this within two minutes are not remembered. */
    private static final int MOST = 32;

    public WidthHistory {
        former = List.copyOf(former);
    }

    /** The history of a window that was never changed. */
    public static WidthHistory of(MeasurementWindow window) {
        return new WidthHistory(window.sliceWidth(), List.of());
    }

    /** The history once the agent is given a window with slices of this width, without what is too long ago to matter. */
    public WidthHistory changedTo(int next, Instant now) {
        List<FormerWidth> all = new ArrayList<>(former);
        if (next != current) {
            all.add(new FormerWidth(current, now));
        }
        List<FormerWidth> kept = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            FormerWidth one = all.get(i);
            boolean isRepeated =
                    all.subList(i + 1, all.size()).stream().anyMatch(later -> later.width() == one.width());
            if (one.isInForce(now) || one.isAlive(now) && !isRepeated) {
                kept.add(one);
            }
        }
        return new WidthHistory(next, kept.subList(Math.max(0, kept.size() - MOST), kept.size()));
    }

    /** Whether all slices that may be there have the current width. */
    public boolean isSteady(Instant now) {
        return former.stream().noneMatch(one -> one.isAlive(now));
    }

    /** Width of the slices in which new batches are counted. It follows a change after two minutes. */
    public int inForce(Instant now) {
        return former.stream()
                .filter(one -> one.isInForce(now))
                .findFirst()
                .map(FormerWidth::width)
                .orElse(current);
    }

    /** Widths of slices in which a batch may have been counted before, besides the one in force. */
    public List<FormerWidth> others(Instant now) {
        int inForce = inForce(now);
        return former.stream()
                .filter(one -> one.width() != inForce && one.isAlive(now))
                .toList();
    }
}
