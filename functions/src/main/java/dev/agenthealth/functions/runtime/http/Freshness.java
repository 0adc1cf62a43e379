package dev.agenthealth.functions.runtime.http;

/** The caches that may keep a response, and the time for which they may. */
public enum Freshness {
    /** By every cache, for a minute. */
    SHARED("public, max-age=60"),
    /** By every cache, for five seconds. */
    BRIEF("public, max-age=5"),
    /** By the caller, which validates it before each use. */
    PRIVATE("private, no-cache");

    private final String cacheControl;

    Freshness(String cacheControl) {
        this.cacheControl = cacheControl;
    }

    /** The {@code Cache-Control} header. */
    String cacheControl() {
        return cacheControl;
    }
}
