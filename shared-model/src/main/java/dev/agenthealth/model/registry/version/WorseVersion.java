package dev.agenthealth.model.registry.version;

import java.time.Instant;

/**
 * The problem that a version of a role is worse than the version before it.
 *
 * @param roleId the role
 * @param version the worse version
 * @param before the version with which it was compared
 * @param since the time of the event
 */
public record WorseVersion(String roleId, String version, String before, Instant since) {

    /** The beginning of the text of such a problem's subject. */
    public static final String SUBJECT_PREFIX = "pool.version:";
}
