package dev.agenthealth.local.fleet;

import java.util.Set;
import java.util.TreeSet;

/**
 * The health that a behaviour must lead to. Several values are possible where they depend on the time of the read.
 *
 * @param shown the health status in the public document
 * @param status the health status for callers with a key
 * @param scoreState the state of its score
 */
record ExpectedHealth(Set<String> shown, Set<String> status, Set<String> scoreState) {

    /** In place of every value for an agent that was deregistered. */
    static final String GONE = "gone";

    /** One value of each, the same in public. */
    static ExpectedHealth of(String status, String scoreState) {
        return new ExpectedHealth(Set.of(status), Set.of(status), Set.of(scoreState));
    }

    /** A copy with another public status. */
    ExpectedHealth shownAs(String coarse) {
        return new ExpectedHealth(Set.of(coarse), status, scoreState);
    }

    /** A copy that also expects these values at another time. */
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
