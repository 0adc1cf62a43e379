package dev.agenthealth.local.fleet;

import java.util.Set;
import java.util.TreeSet;

/**
 * The health that a behaviour must lead to. Several values are possible if they depend on the time of the read.
 *
 * @param shown the health status in the public document
 * @param status the health status for callers with a key
 * @param scoreState the state of its score
 */
record ExpectedHealth(Set<String> shown, Set<String> status, Set<String> scoreState) {

    /** The expected value, in every field, for an agent that was deregistered. */
    static final String GONE = "gone";

    /** Returns the expectation of a single value each; the public status is the same. */
    static ExpectedHealth of(String status, String scoreState) {
        return new ExpectedHealth(Set.of(status), Set.of(status), Set.of(scoreState));
    }

    /** Returns a copy with another public status. */
    ExpectedHealth shownAs(String coarse) {
        return new ExpectedHealth(Set.of(coarse), status, scoreState);
    }

    /** Returns a copy that also accepts these values. */
    ExpectedHealth or(String otherStatus, String otherScoreState) {
        return new ExpectedHealth(
                with(shown, otherStatus), with(status, otherStatus), with(scoreState, otherScoreState));
    }

    boolean matches(FoundHealth found) {
        return shown.contains(found.shown())
                && status.contains(found.status())
                && scoreState.contains(found.scoreState());
    }

    private static Set<String> with(Set<String> words, String word) {
        Set<String> more = new TreeSet<>(words);
        more.add(word);
        return more;
    }
}
