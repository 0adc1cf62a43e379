package dev.agenthealth.model.identity;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Decides what the holder of a token may do. */
public final class GrantRule {

    private static final char ANY = '*';

    private GrantRule() {}

    /**
     * Returns the first grant that matches; empty if no grant matches.
     *
     * @param claims returns the values of a claim
     */
    public static Optional<Grant> find(List<Grant> grants, Function<String, ? extends Collection<String>> claims) {
        return grants.stream()
                .filter(grant -> claims.apply(grant.claim()).stream().anyMatch(value -> matches(grant.value(), value)))
                .findFirst();
    }

    /**
     * Returns whether a text matches a pattern, in which an asterisk stands for any number of characters. The time is at most the product of both
     * lengths.
     */
    static boolean matches(String pattern, String text) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = 0;
        while (in < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == ANY) {
                star = at++;
                resume = in;
            } else if (at < pattern.length() && pattern.charAt(at) == text.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++resume;
            } else {
                return false;
            }
        }
        return pattern.substring(at).chars().allMatch(c -> c == ANY);
    }
}
