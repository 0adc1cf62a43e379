package dev.agenthealth.functions.coordination;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A value of a YAML text, which still knows the line it stands in, from 1. Made once by one thread and only read from then on. */
sealed interface YamlNode {

    int line();

    /** Whether there is nothing: in YAML, no value and null are the same. */
    default boolean isNull() {
        return false;
    }

    /**
     * A single value.
     *
     * @param text as it stands there, without its quotes
     * @param plain whether it had no quotes, and may therefore be something else than a text
     */
    record Scalar(String text, boolean plain, int line) implements YamlNode {

        private static final Pattern NULL = Pattern.compile("|~|[nN]ull|NULL");
        private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]*)");
        private static final Pattern NUMBER = Pattern.compile(
                "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
        private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");

        @Override
        public boolean isNull() {
            return plain && NULL.matcher(text).matches();
        }

        boolean isWhole() {
            return plain && WHOLE.matcher(text).matches();
        }

        boolean isText() {
            return !plain
                    || !NULL.matcher(text).matches()
                            && !NUMBER.matcher(text).matches()
                            && !BOOLEAN.matcher(text).matches();
        }
    }

    /** A list. */
    record Sequence(List<YamlNode> elements, int line) implements YamlNode {

        static Sequence in(int line) {
            return new Sequence(new ArrayList<>(), line);
        }
    }

    /** A mapping; its keys in their order, each once. */
    record Mapping(Map<String, Entry> entries, int line) implements YamlNode {

        static Mapping in(int line) {
            return new Mapping(new LinkedHashMap<>(), line);
        }
    }

    /**
     * A key's value.
     *
     * @param line of the key
     */
    record Entry(int line, YamlNode value) {}
}
