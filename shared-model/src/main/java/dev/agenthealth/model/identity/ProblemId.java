package dev.agenthealth.model.identity;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The id of the problem of a subject, which is the same whenever the subject has one. */
public final class ProblemId {

    private static final String PREFIX = "problem_";
    private static final int DIGITS = 20;

    /** The beginnings of subjects that have no problems: leases, messages, and tests of rules. */
    private static final List<String> WITHOUT = List.of("lease:", "message:", "test:");

    private ProblemId() {}

    /** Returns the id of the problem of a subject; empty if such subjects have none. */
    public static Optional<String> find(String subject) {
        return WITHOUT.stream().anyMatch(subject::startsWith) ? Optional.empty() : Optional.of(of(subject));
    }

    /**
     * Returns the id of the problem of a subject.
     *
     * @param subject such as {@code agent:agent_1}
     */
    public static String of(String subject) {
        return PREFIX + HexFormat.of().formatHex(Sha256.of(subject)).substring(0, DIGITS);
    }
}
