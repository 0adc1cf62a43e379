package dev.agenthealth.model.health.containment;

import dev.agenthealth.model.WireNamed;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A case of one rule and one agent: the reason holds, or held within the last seven days. Cases of a rule that observes are its dry run.
 *
 * @param rule the name of the rule
 * @param agentId the agent
 * @param roleNumber the number of the agent's role
 * @param reasons the reasons of the rule that hold or held
 * @param since the first pass of the sweep that saw a reason
 * @param step the step of the case
 * @param done the last deed of the rule; empty if it neither acted nor would have acted
 */
public record ContainmentCase(
        String rule,
        String agentId,
        long roleNumber,
        Set<ContainmentReason> reasons,
        Instant since,
        Step step,
        Optional<Done> done) {

    /** The time for which a case is kept after its last change. */
    public static final Duration RETENTION = Duration.ofDays(7);

    /** The step of a case. */
    public enum Step implements WireNamed {
        /** A reason holds, and the rule has not acted. */
        WAITING,
        /** The rule observes: it would have acted. */
        WOULD_ACT,
        /** The rule acted. */
        ACTED,
        /** The agent was unblocked while a reason still holds. The rule waits until the reason is over. */
        RELEASED,
        /** No reason holds. */
        OVER
    }

    /**
     * A deed of a rule.
     *
     * @param action the action
     * @param observed whether the rule only would have acted
     * @param at the time
     * @param times the number of deeds in this case
     */
    public record Done(ContainmentAction action, boolean observed, Instant at, long times) {}

    public ContainmentCase {
        reasons = Set.copyOf(reasons);
    }

    /** Returns the case of an agent for which a reason holds since now. */
    public static ContainmentCase begun(
            String rule, String agentId, long roleNumber, Set<ContainmentReason> reasons, Instant now) {
        return new ContainmentCase(rule, agentId, roleNumber, reasons, now, Step.WAITING, Optional.empty());
    }

    /** Returns the case after a reason holds again. */
    public ContainmentCase begunAgain(Set<ContainmentReason> newReasons, Instant now) {
        return new ContainmentCase(rule, agentId, roleNumber, newReasons, now, Step.WAITING, done);
    }

    /** Returns the case after the rule acted, or would have acted. */
    public ContainmentCase did(ContainmentRule by, Instant now) {
        long times = done.map(Done::times).orElse(0L) + 1;
        Done deed = new Done(by.action(), !by.enforces(), now, times);
        return new ContainmentCase(
                rule,
                agentId,
                roleNumber,
                reasons,
                since,
                by.enforces() ? Step.ACTED : Step.WOULD_ACT,
                Optional.of(deed));
    }

    private ContainmentCase with(Set<ContainmentReason> found) {
        return new ContainmentCase(rule, agentId, roleNumber, found, since, step, done);
    }

    /** Returns the case in another step. */
    public ContainmentCase in(Step next) {
        return new ContainmentCase(rule, agentId, roleNumber, reasons, since, next, done);
    }

    /** Returns whether the rule may act now. */
    public boolean isDue(ContainmentRule by, Instant now) {
        boolean open = step == Step.WAITING || step == Step.WOULD_ACT && by.enforces();
        return open && !now.isBefore(since.plus(by.when().duration())) && !isTooSoon(by, now);
    }

    private boolean isTooSoon(ContainmentRule by, Instant now) {
        return by.action() != ContainmentAction.BLOCK
                && done.filter(deed -> !deed.observed())
                        .filter(deed -> now.isBefore(deed.at().plus(ContainmentRule.BETWEEN_COMMANDS)))
                        .isPresent();
    }

    /** Returns whether the agent is contained, or was asked to drain. */
    public boolean isContained() {
        return step == Step.ACTED;
    }

    /** Returns whether a rule blocked the agent, and the pass that reads the case has to look whether the block ended. */
    public boolean isBlock() {
        return isContained()
                && done.filter(deed -> deed.action() == ContainmentAction.BLOCK).isPresent();
    }

    /**
     * Returns the case after a pass of the sweep saw the agent's reasons; empty if the case need not be kept.
     *
     * @param found the reasons of the rule that hold now
     * @param blocked whether the agent is live and blocked now. The block of an agent that is gone takes no part of its role
     */
    public Optional<ContainmentCase> seen(Set<ContainmentReason> found, boolean blocked, Instant now) {
        if (isBlock()) {
            // A block ends the calls, and so often the reason. The block ends the case.
            return Optional.of(blocked ? this : in(found.isEmpty() ? Step.OVER : Step.RELEASED));
        }
        if (found.isEmpty()) {
            return step == Step.OVER ? Optional.of(this) : done.map(deed -> in(Step.OVER));
        }
        return Optional.of(step == Step.OVER ? begunAgain(found, now) : with(found));
    }
}
