package dev.agenthealth.model.identity;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The id of the problem of a subject. All problems of a subject have the same id. */
public final class ProblemId {

    private static final String PREFIX = "problem_";
    private static final int DIGITS = 20;

    /** The prefixes of subjects without problems: leases, messages, and tests of rules. */
    private static final List<String> WITHOUT = List.of("lease:", "message:", "test:");

    private ProblemId() {}

    /** Returns the id of the problem of a subject; empty if the subject cannot have problems. */
    public static Optional<String> find(String subject) {
        return WITHOUT.stream().anyMatch(subject::startsWith) ? Optional.empty() : Optional.of(of(subject));
    }

    /**
     * Returns the id of the problem of a subject.
     *
     * @param subject the subject, such as {@code agent:agent_1}
     */
    public static String of(String subject) {
        return PREFIX + HexFormat.of().formatHex(Sha256.of(subject)).substring(0, DIGITS);
    }
}
