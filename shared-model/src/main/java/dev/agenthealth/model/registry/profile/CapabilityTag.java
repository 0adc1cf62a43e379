package dev.agenthealth.model.registry.profile;

/** The form of a capability tag, by which coordinators find agents (RFC-0016 §1.1). */
public final class CapabilityTag {

    /** The maximum length of a tag, in characters. */
    public static final int MAX_LENGTH = 64;

    private CapabilityTag() {}

    /** Returns whether the tag can be part of a comma-separated list of tags. It may contain spaces, such as {@code code review}. */
    public static boolean fitsIntoList(String tag) {
        return tag.indexOf(',') < 0 && tag.equals(tag.strip());
    }
}
