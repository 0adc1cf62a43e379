package dev.agenthealth.model.identity;

import java.util.HexFormat;

/** The id of the problem of a subject, which is the same whenever the subject has one. */
public final class ProblemId {

    private static final String PREFIX = "problem_";
    private static final int DIGITS = 20;

    private ProblemId() {}

    /**
     * The id of the problem of a subject.
     *
     * @param subject such as {@code agent:agent_1}
     */
    public static String of(String subject) {
        return PREFIX + HexFormat.of().formatHex(Sha256.of(subject)).substring(0, DIGITS);
    }
}
