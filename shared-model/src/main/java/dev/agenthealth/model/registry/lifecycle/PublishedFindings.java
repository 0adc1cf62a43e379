package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.registry.usage.PublishedUsage;
import java.time.Instant;

/**
 * The findings that were published about an agent. The next event depends on them.
 *
 * @param driftAt the last event about the agent's clock drift; {@link Instant#EPOCH} without one
 * @param stall the stall that was published and is not over, or {@link PublishedStall#NONE}
 * @param declarationChanged whether the agent's declaration differs from the accepted one
 * @param failedRun the last run that a ping reported, if it failed
 * @param waitSince the beginning of the wait for a person that was published and is not over, or {@link #NO_WAIT}
 * @param loop the loop that was published and is not over, or {@link PublishedLoop#NONE}
 * @param usage the level of usage that was published and is not over, or {@link PublishedUsage#NONE}
 */
public record PublishedFindings(
        Instant driftAt,
        PublishedStall stall,
        boolean declarationChanged,
        FailedRun failedRun,
        Instant waitSince,
        PublishedLoop loop,
        PublishedUsage usage) {

    /** The value if no wait for a person was published, or the wait is over. */
    public static final Instant NO_WAIT = Instant.EPOCH;

    /** No finding. */
    public static final PublishedFindings NONE =
            new PublishedFindings(Instant.EPOCH, PublishedStall.NONE, false, FailedRun.NONE);

    /** Creates findings without a wait for a person, a loop and a level of usage. */
    public PublishedFindings(Instant driftAt, PublishedStall stall, boolean declarationChanged, FailedRun failedRun) {
        this(driftAt, stall, declarationChanged, failedRun, NO_WAIT, PublishedLoop.NONE, PublishedUsage.NONE);
    }

    PublishedFindings withDriftAt(Instant moment) {
        return new PublishedFindings(moment, stall, declarationChanged, failedRun, waitSince, loop, usage);
    }

    PublishedFindings withStall(PublishedStall newStall) {
        return new PublishedFindings(driftAt, newStall, declarationChanged, failedRun, waitSince, loop, usage);
    }

    PublishedFindings withDeclarationChanged(boolean changed) {
        return new PublishedFindings(driftAt, stall, changed, failedRun, waitSince, loop, usage);
    }

    PublishedFindings withFailedRun(FailedRun run) {
        return new PublishedFindings(driftAt, stall, declarationChanged, run, waitSince, loop, usage);
    }

    PublishedFindings withWaitSince(Instant since) {
        return new PublishedFindings(driftAt, stall, declarationChanged, failedRun, since, loop, usage);
    }

    PublishedFindings withLoop(PublishedLoop newLoop) {
        return new PublishedFindings(driftAt, stall, declarationChanged, failedRun, waitSince, newLoop, usage);
    }

    PublishedFindings withUsage(PublishedUsage newUsage) {
        return new PublishedFindings(driftAt, stall, declarationChanged, failedRun, waitSince, loop, newUsage);
    }
}
