package dev.agenthealth.functions.http;

/** How long an answer to a request without a side effect may be used again, and by whom. */
public enum Freshness {
    /** For everybody, by any cache, for a minute. */
    SHARED("public, max-age=60"),
    /** For the holder of the key, who asks each time whether it still holds. */
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
