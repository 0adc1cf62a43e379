package dev.agenthealth.model.schedule;

import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A field of a cron expression, in the order of the expression. */
enum CronField {
    MINUTE(0, 59),
    HOUR(0, 23),
    DAY_OF_MONTH(1, 31),
    MONTH(1, 12, "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"),
    /** Both 0 and 7 mean Sunday. */
    DAY_OF_WEEK(0, 7, "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

    private static final String EVERY_VALUE = "*";
    private static final Pattern DIGITS_AND_SIGNS = Pattern.compile("[/*0-9,-]");

    private final int min;
    private final int max;

    /** The names of the values from 1 on. */
    private final List<String> names;

    CronField(int min, int max, String... names) {
        this.min = min;
        this.max = max;
        this.names = List.of(names);
    }

    /**
     * A part of a list.
     *
     * @param isRange whether the text names both values
     * @param step the step; {@link #NO_STEP} without one
     */
    record Part(int from, int to, boolean isRange, int step) {

        private static final int NO_STEP = -1;
    }

    /**
     * Reads a list of values and ranges, in upper case.
     *
     * @throws IllegalArgumentException if a value is neither a number nor a name
     */
    List<Part> read(String list) {
        return Stream.of(list.split(",")).map(this::part).toList();
    }

    private Part part(String text) {
        int dash = text.indexOf('-');
        int slash = text.indexOf('/');
        String first = text.substring(0, dash >= 0 ? dash : slash >= 0 ? slash : text.length());
        String step = slash >= 0 ? text.substring(slash + 1) : "";
        if (dash >= 0) {
            int from = number(first);
            int to = number(text.substring(dash + 1, slash >= 0 ? slash : text.length()));
            return new Part(from, to, true, step.isEmpty() ? Part.NO_STEP : value(step));
        }
        int from = first.equals(EVERY_VALUE) ? min : value(first);
        int stepValue = step.isEmpty() ? Part.NO_STEP : Integer.parseInt(step);
        int to = first.equals(EVERY_VALUE) || stepValue > 1 ? max : from;
        return new Part(from, to, false, stepValue);
    }

    private int value(String text) {
        int number = number(text);
        return this == DAY_OF_WEEK && number == max ? min : number;
    }

    private int number(String text) {
        int name = names.indexOf(text);
        if (name >= 0) {
            return name + 1;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Invalid chars in expression! Expression: " + text + " Invalid chars: " + invalidChars(text), e);
        }
    }

    private String invalidChars(String text) {
        String letters = DIGITS_AND_SIGNS.matcher(text).replaceAll("");
        return names.contains(letters) ? "" : letters;
    }

    /**
     * Returns the values of a list.
     *
     * @throws IllegalArgumentException if a value, a range or a step is out of bounds
     */
    BitSet values(List<Part> list) {
        BitSet values = new BitSet(max + 1);
        for (Part part : list) {
            check(part);
            for (int value = part.from(); value <= part.to(); value += Math.max(1, part.step())) {
                values.set(value);
            }
        }
        return values;
    }

    private void check(Part part) {
        check(part.from());
        check(part.to());
        if (part.isRange() && part.from() > part.to()) {
            throw new IllegalArgumentException("Invalid range! [" + part.from() + "," + part.to() + "]");
        }
        if (part.step() != Part.NO_STEP && (part.step() <= 0 || part.step() > max - min + 1 || part.step() > max)) {
            throw new IllegalArgumentException("Period " + part.step() + " not in range [" + min + ", " + max + "]");
        }
    }

    private void check(int value) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("Value " + value + " not in range [" + min + ", " + max + "]");
        }
    }
}
