package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.functions.worker.WorkerCalls;
import java.util.Map;

/** A worker in an invocation of its own. Thread-safe. */
final class LambdaWorker implements SharedOutFleet.Worker {

    private final WorkerCalls calls;
    private final SegmentRange range;

    LambdaWorker(WorkerCalls calls, SegmentRange range) {
        this.calls = calls;
        this.range = range;
    }

    @Override
    public FleetReading read(Inspection inspection) {
        return WorkerMessages.reading(
                call(new WorkerMessages.Request(false, range, inspection, SweepDecision.HOUSEKEEPING_ONLY)));
    }

    @Override
    public ActionCounts act(Inspection inspection, SweepDecision orders) {
        return WorkerMessages.deeds(call(new WorkerMessages.Request(true, range, inspection.withoutPools(), orders)));
    }

    private Map<String, Object> call(WorkerMessages.Request request) {
        return calls.call(WorkerMessages.of(request));
    }
}
