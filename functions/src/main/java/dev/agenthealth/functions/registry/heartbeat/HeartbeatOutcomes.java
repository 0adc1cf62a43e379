package dev.agenthealth.functions.registry.heartbeat;

import dev.agenthealth.functions.registry.outcomes.OutcomeReports;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.registry.outcome.Outcome;
import java.time.Clock;
import java.util.Optional;

/**
 * Counts outcomes in heartbeats. Thread-safe.
 *
 * <p>Outcomes are read after the heartbeat is stored, and their errors are beside the acknowledgement. A heartbeat counts even if its
 * report is invalid.
 */
final class HeartbeatOutcomes {

    /** The maximum number of errors in the answer. A batch of 100 reports may have more errors than fit into a response. */
    private static final int MAX_ERRORS = Outcome.MAX_BATCH;

    static final String OUTCOMES = "outcomes";

    private final Database database;
    private final Clock clock;
    private final Log log;

    HeartbeatOutcomes(Database database, Clock clock, Log log) {
        this.database = database;
        this.clock = clock;
        this.log = log;
    }

    /** Returns whether a heartbeat has outcomes. */
    static boolean areIn(Fields heartbeat) {
        return heartbeat.has(OUTCOMES);
    }

    /** Counts the outcomes in a heartbeat that was counted or superseded; empty if there are no outcomes. */
    Optional<PartResult> take(String agentId, Fields heartbeat) {
        return areIn(heartbeat) ? Optional.of(result(agentId, heartbeat.apart())) : Optional.empty();
    }

    private PartResult result(String agentId, Fields body) {
        try {
            // Created only here: a heartbeat without outcomes must not wait for these classes.
            OutcomeReports reports = OutcomeReports.to(database, clock);
            return new PartResult(202, reports.ofHeartbeat(agentId, body).json());
        } catch (ApiError problem) {
            OutcomeReports.logRefusal(log, agentId, problem);
            return PartResult.refused(problem.naming(MAX_ERRORS));
        } catch (StorageBusyException e) {
            log.failure("storage_busy", agentId, e);
            return PartResult.refused(ApiError.busy());
        } catch (RuntimeException e) {
            log.failure("outcomes_failed", agentId, e);
            return PartResult.refused(ApiError.internal());
        }
    }
}
