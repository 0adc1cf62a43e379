package dev.agenthealth.model.registry.upstream;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.ProblemId;
import java.time.Instant;
import java.util.Set;

/**
 * A provider that fails for many agents at once. It is one problem, whatever the number of agents.
 *
 * @param provider the provider
 * @param since when the registry noticed it
 * @param counts the present numbers
 * @param concerned the {@linkplain #numberOf numbers} of the agents whose calls fail, at most {@value #MAX_CONCERNED}
 */
public record UpstreamProblem(String provider, Instant since, Counts counts, Set<Integer> concerned) {

    /** The maximum number of agents that are known as concerned. */
    public static final int MAX_CONCERNED = 10_000;

    /** The beginning of the subject of the problem. */
    public static final String SUBJECT_PREFIX = "upstream:";

    /**
     * The numbers of a problem.
     *
     * @param agents the number of agents whose calls fail
     * @param most the largest number of such agents since the beginning
     * @param owners the number of their owners
     * @param users the number of agents that use the provider
     * @param figures the failing calls
     */
    public record Counts(long agents, long most, long owners, long users, UpstreamFigures figures) {}

    public UpstreamProblem {
        concerned = Set.copyOf(concerned);
    }

    /** Returns a number for the id of an agent. Two ids share a number with a probability of one in four billion. */
    public static int numberOf(String agentId) {
        return (int) GroupNumber.of(agentId);
    }

    /** Returns whether the calls of an agent fail because of this problem. */
    public boolean concerns(String agentId) {
        return concerned.contains(numberOf(agentId));
    }

    /** Returns the subject of the problem, such as {@code upstream:openai}. */
    public String subject() {
        return SUBJECT_PREFIX + provider;
    }

    /** Returns the id of the problem. */
    public String problemId() {
        return ProblemId.of(subject());
    }
}
