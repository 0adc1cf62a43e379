package dev.agenthealth.functions.storage.health;

/** Which point of its hour a point of an agent's history is; an hour has at most one of each kind. */
public enum HistoryKind {
    /** The first health computed in the hour. */
    HOUR(""),
    /** The health with which the score last became active within the hour. */
    SCORE_BEGAN("!"),
    /** The health with which the score last became inactive within the hour. */
    SCORE_ENDED("#");

    private final String suffix;

    HistoryKind(String suffix) {
        this.suffix = suffix;
    }

    /** The end of the sort key; the kinds sort as they are declared. */
    String suffix() {
        return suffix;
    }
}
