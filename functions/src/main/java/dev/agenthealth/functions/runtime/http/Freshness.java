package dev.agenthealth.functions.runtime.http;

/** The caches that may keep a response, and for how long. */
public enum Freshness {
    /** Every cache may keep the response for a minute. */
    SHARED("public, max-age=60"),
    /** Every cache may keep the response for five seconds. */
    BRIEF("public, max-age=5"),
    /** Only the caller may keep the response, and validates it before each use. */
    PRIVATE("private, no-cache");

    private final String cacheControl;

    Freshness(String cacheControl) {
        this.cacheControl = cacheControl;
    }

    /** Returns the {@code Cache-Control} header. */
    String cacheControl() {
        return cacheControl;
    }
}
