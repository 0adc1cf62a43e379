package dev.agenthealth.model.registry.usage;

import java.util.Comparator;

/**
 * A model and its provider, as an agent names them.
 *
 * @param model the name of the model; empty if it is unknown
 * @param provider the name of the provider; empty if it is unknown
 */
public record ModelName(String model, String provider) implements Comparable<ModelName> {

    /** The value if neither model nor provider is known. */
    public static final ModelName UNKNOWN = new ModelName("", "");

    /** The value that collects the usage of further models, if an agent names too many within an hour. */
    public static final ModelName OTHER = new ModelName("other", "");

    /** The maximum number of characters of a name. */
    public static final int MAX_LENGTH = 100;

    private static final char SEPARATOR = '|';

    private static final Comparator<ModelName> ORDER =
            Comparator.comparing(ModelName::provider).thenComparing(ModelName::model);

    /** Returns the names without surrounding spaces and control characters, cut to {@link #MAX_LENGTH} characters. A provider has no vertical bar. */
    public static ModelName of(String model, String provider) {
        return new ModelName(clean(model), clean(provider).replace(SEPARATOR, '/'));
    }

    private static String clean(String name) {
        return name.codePoints()
                .filter(each -> !Character.isISOControl(each) && !isSurrogate(each))
                .limit(MAX_LENGTH)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString()
                .strip();
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    @Override
    public int compareTo(ModelName other) {
        return ORDER.compare(this, other);
    }
}
