package dev.agenthealth.model.registry.upstream;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names of providers and models in a common form, so that the spellings of several libraries mean the same provider. */
public final class UpstreamName {

    /** The maximum number of characters of a name. */
    public static final int MAX_LENGTH = 64;

    private static final Pattern OTHER = Pattern.compile("[^a-z0-9._:/@-]+");

    /** The part of an API that some libraries append to the name of a provider, such as {@code openai.chat}. */
    private static final Pattern API =
            Pattern.compile("\\.(chat|responses|messages|completion|completions|embedding)$");

    private UpstreamName() {}

    /** Returns the name of a provider, such as {@code openai} for {@code OpenAI.chat}; empty if nothing of the name is left. */
    public static String ofProvider(String name) {
        return API.matcher(common(name)).replaceFirst("");
    }

    /** Returns the name of a model; empty if nothing of the name is left. */
    public static String ofModel(String name) {
        return common(name);
    }

    private static String common(String name) {
        String word = OTHER.matcher(name.strip().toLowerCase(Locale.ROOT)).replaceAll("-");
        return word.length() > MAX_LENGTH ? word.substring(0, MAX_LENGTH) : word;
    }
}
