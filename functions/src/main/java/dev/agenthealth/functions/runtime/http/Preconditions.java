package dev.agenthealth.functions.runtime.http;

/**
 * The version that a change requires (RFC 9110 §13.1).
 *
 * @param ifMatch the {@code If-Match} header; empty where it was not sent
 * @param ifNoneMatch the {@code If-None-Match} header; empty where it was not sent
 */
public record Preconditions(String ifMatch, String ifNoneMatch) {

    /** Returns the same with this {@code If-Match}, unless one was sent. */
    public Preconditions orIfMatch(String tags) {
        return ifMatch.isEmpty() ? new Preconditions(tags, ifNoneMatch) : this;
    }

    /**
     * Requires {@code If-Match}.
     *
     * @throws ApiError 428 where it was not sent
     */
    public void requireIfMatch() {
        if (ifMatch.isEmpty()) {
            throw ApiError.ifMatchNeeded();
        }
    }

    /**
     * Compares the headers that were sent with what is there now.
     *
     * @param what for the message, such as {@code agent}
     * @throws ApiError 412 where the version is not the one that the caller expects
     */
    public void check(String what, long version) {
        EntityTag tag = EntityTag.ofVersion(version);
        if (!ifMatch.isEmpty() && !tag.isAmong(ifMatch) || !ifNoneMatch.isEmpty() && tag.isAmong(ifNoneMatch)) {
            throw ApiError.outdated("The " + what + "'s version is " + version + ".", tag);
        }
    }
}
