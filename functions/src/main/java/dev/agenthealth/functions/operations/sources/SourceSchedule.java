package dev.agenthealth.functions.operations.sources;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads the sources that are due, those first that were read longest ago. Thread-safe. */
public final class SourceSchedule {

    /** One source must not keep the others from being read. */
    private static final Duration MAX_SYNC = Duration.ofMinutes(5);

    /** Longer than a request to a source and the write that follows it. */
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
     * @param due the sources to read
     * @param read those of them for which there was time
     */
    public record Result(int due, int read) {}

    /** Reads the sources that are due while there is time; returns what it did. */
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
            return new Result(due.size(), read);
        });
    }

    /** Returns a failure of storage keeps no other source from being read; this one is due again in the next run. */
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
