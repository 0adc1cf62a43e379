package dev.agenthealth.functions.operations.sources;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads the due sources, beginning with the source that was not read for the longest time. Thread-safe. */
public final class SourceSchedule {

    /** The maximum time for one source, so that a slow source does not prevent the others from being read. */
    private static final Duration MAX_SYNC = Duration.ofMinutes(5);

    /** The reserved time. It is longer than a request to a source and the write after it. */
    private static final Duration RESERVED = Duration.ofSeconds(30);

    private final SourceStore sources;
    private final SourceSync sync;
    private final Clock clock;
    private final Log log;
    private final ThrottleMonitor throttles;

    public SourceSchedule(Wiring wiring, Database database, SourceSync sync, Log log) {
        this.sources = new SourceStore(database);
        this.sync = sync;
        this.clock = wiring.clock();
        this.log = log;
        this.throttles = new ThrottleMonitor("SourceFunction", wiring.storageMeter(), log);
    }

    /**
     * The counts of a run.
     *
     * @param due the number of due sources
     * @param read the number of sources for which there was time
     */
    public record Result(int due, int read) {}

    /** Reads the due sources while there is time, and returns the counts. */
    public Result run(Context context) {
        return throttles.during(() -> {
            Instant end = context == null
                    ? Instant.MAX
                    : clock.instant()
                            .plusMillis(context.getRemainingTimeInMillis())
                            .minus(RESERVED);
            List<Source> due = sources.page("", SourceRoutes.MAX_SOURCES).stream()
                    .filter(source -> source.isDue(clock.instant()))
                    .sorted(Comparator.comparing(source -> source.state().at()))
                    .toList();
            int read = 0;
            for (Source source : due) {
                Instant until = clock.instant().plus(MAX_SYNC);
                if (clock.instant().isBefore(end)) {
                    read += read(source, until.isBefore(end) ? until : end) ? 1 : 0;
                }
            }
            log.metric(Metric.SOURCE_RUNS, 1);
            return new Result(due.size(), read);
        });
    }

    /** Reads a source. A failure of storage does not affect the other sources, and this source is due again in the next run. */
    private boolean read(Source source, Instant until) {
        try {
            sync.run(source, Optional.empty(), false, until);
            return true;
        } catch (RuntimeException e) {
            log.failure("source_not_read", source.name(), e);
            return false;
        }
    }
}
