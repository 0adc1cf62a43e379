package dev.agenthealth.functions.runtime.http;

/**
 * The preconditions of a change (RFC 9110 §13.1).
 *
 * @param ifMatch the {@code If-Match} header; empty if it was not sent
 * @param ifNoneMatch the {@code If-None-Match} header; empty if it was not sent
 */
public record Preconditions(String ifMatch, String ifNoneMatch) {

    /** Returns the same preconditions with this {@code If-Match}, unless the caller sent one. */
    public Preconditions orIfMatch(String tags) {
        return ifMatch.isEmpty() ? new Preconditions(tags, ifNoneMatch) : this;
    }

    /**
     * Requires {@code If-Match}.
     *
     * @throws ApiError 428 if it was not sent
     */
    public void requireIfMatch() {
        if (ifMatch.isEmpty()) {
            throw ApiError.ifMatchNeeded();
        }
    }

    /**
     * Compares the headers with the current version.
     *
     * @param what the kind of resource for the message, such as {@code agent}
     * @throws ApiError 412 if the version is not the version that the caller expects
     */
    public void check(String what, long version) {
        EntityTag tag = EntityTag.ofVersion(version);
        if (!ifMatch.isEmpty() && !tag.isAmong(ifMatch) || !ifNoneMatch.isEmpty() && tag.isAmong(ifNoneMatch)) {
            throw ApiError.outdated("The " + what + "'s version is " + version + ".", tag);
        }
    }
}
