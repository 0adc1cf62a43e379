package dev.agenthealth.local.fleet;

import java.util.Set;
import java.util.TreeSet;

/**
 * What the registry must tell of an agent's health once its behaviour has shown. Where more than one word is possible, that depends on the
 * moment.
 *
 * @param shown the health status that everybody is shown
 * @param status the health status that those see who have to do with the agent
 * @param scoreState the state of its score
 */
record ExpectedHealth(Set<String> shown, Set<String> status, Set<String> scoreState) {

    /** In place of every word where the agent left and has no health any more. */
    static final String GONE = "gone";

    /** One word for each, and the same to everybody. */
    static ExpectedHealth of(String status, String scoreState) {
        return new ExpectedHealth(Set.of(status), Set.of(status), Set.of(scoreState));
    }

    /** The same, but everybody is shown another status. */
    ExpectedHealth shownAs(String coarse) {
        return new ExpectedHealth(Set.of(coarse), status, scoreState);
    }

    /** The same, or this at another moment. */
    ExpectedHealth or(String otherStatus, String otherScoreState) {
        return new ExpectedHealth(
                with(shown, otherStatus), with(status, otherStatus), with(scoreState, otherScoreState));
    }

    boolean explains(FoundHealth found) {
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
