package dev.agenthealth.functions.http;

/** How long and by whom a response may be cached. */
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
