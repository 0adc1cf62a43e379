package dev.agenthealth.model.registry.profile;

/** The form of a capability tag, by which agents are found (RFC-0016 §1.1). */
public final class CapabilityTag {

    /** The longest tag, in characters. */
    public static final int MAX_LENGTH = 64;

    private CapabilityTag() {}

    /** Returns whether the tag stays as it is in a comma-separated list of tags; it may have spaces inside, such as {@code code review}. */
    public static boolean fitsIntoList(String tag) {
        return tag.indexOf(',') < 0 && tag.equals(tag.strip());
    }
}
