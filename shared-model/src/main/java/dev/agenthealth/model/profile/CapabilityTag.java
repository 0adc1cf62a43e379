package dev.agenthealth.model.profile;

/** The form of a capability tag, by which agents are found (RFC-0016 §1.1). */
public final class CapabilityTag {

    /** The longest tag, in characters. */
    public static final int MAX_LENGTH = 64;

    private CapabilityTag() {}

    /** Whether the tag stays whole in a comma-separated list of tags. */
    public static boolean fitsIntoList(String tag) {
        return tag.indexOf(',') < 0 && tag.codePoints().noneMatch(Character::isWhitespace);
    }
}
