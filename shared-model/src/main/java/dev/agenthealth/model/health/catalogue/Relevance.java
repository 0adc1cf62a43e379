package dev.agenthealth.model.health.catalogue;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The relevance of texts to a question in natural language, by their words alone. It does not depend on health or trust (ARD 0.91 §5.3.2).
 *
 * <p>The search ignores words without a meaning of their own, such as "find me an agent". It also ignores words after the first
 * {@value #MAX_WORDS}, which bounds its time.
 */
public final class Relevance {

    /** The relevance of texts that contain every word of the question. */
    public static final int MAX = 100;

    static final int MAX_WORDS = 50;

    /** The relevance of a word that shares only its beginning with a word of the question. */
    private static final int SIMILAR = 75;

    private static final int MIN_COMMON = 4;
    private static final int MAX_ENDING = 3;

    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

    private static final Set<String> WITHOUT_MEANING = Set.of(
            ("a about agent agents an and any are at be by can could do does find for from get give has have help how i in is it "
                            + "like live me my need now of on or our please search service show some someone that the there "
                            + "this to tool tools use want what which who will with would you")
                    .split(" "));

    private final Set<String> asked;

    private Relevance(Set<String> asked) {
        this.asked = asked;
    }

    /** Returns the relevance to a question. */
    public static Relevance to(String question) {
        return new Relevance(words(question).stream()
                .filter(word -> !WITHOUT_MEANING.contains(word))
                .limit(MAX_WORDS)
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** Returns the relevance, from 0 for texts without any word of the question to {@link #MAX}. A question without words fits every text. */
    public int of(List<String> texts) {
        if (asked.isEmpty()) {
            return MAX;
        }
        Set<String> words = words(String.join(" ", texts));
        int sum = asked.stream().mapToInt(word -> best(word, words)).sum();
        return Math.round((float) sum / asked.size());
    }

    private static int best(String word, Set<String> words) {
        if (words.contains(word)) {
            return MAX;
        }
        return words.stream().anyMatch(other -> isSimilar(word, other)) ? SIMILAR : 0;
    }

    /** Returns whether both are forms of one word, judged by their beginnings, such as "translate" and "translation". */
    private static boolean isSimilar(String one, String other) {
        int common = 0;
        while (common < Math.min(one.length(), other.length()) && one.charAt(common) == other.charAt(common)) {
            common++;
        }
        return common >= MIN_COMMON && Math.max(one.length(), other.length()) - common <= MAX_ENDING;
    }

    private static Set<String> words(String text) {
        return Arrays.stream(NO_WORD.split(text.toLowerCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
