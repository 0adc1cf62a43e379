package dev.agenthealth.emulator.scheduler;

import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.ScheduleDefinition;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the template's schedules by a timer or by {@link #runAll}. The caller sets the duration of a minute. A schedule never overlaps
 * itself.
 */
public final class Schedules implements AutoCloseable {

    private static final long CLOSE_SECONDS = 10;

    private final List<Run> runs = new ArrayList<>();
    private final ScheduledThreadPoolExecutor timer;
    private final Duration minute;
    private final Clock clock;
    private final EmulatorLog log;

    /**
     * @param functions the template's functions, scheduled or not
     * @param minute the duration of a minute in a schedule's rate
     */
    public Schedules(Collection<EmulatedFunction> functions, Duration minute, Clock clock, EmulatorLog log) {
        this.minute = minute;
        this.clock = clock;
        this.log = log;
        for (EmulatedFunction function : functions) {
            for (ScheduleDefinition schedule : function.definition().schedules()) {
                runs.add(new Run(function, schedule, new ScheduledPayload(schedule)));
            }
        }
        this.timer = new ScheduledThreadPoolExecutor(Math.max(1, runs.size()), DaemonThreads.named("schedule"));
        this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Starts the timer; each schedule runs for the first time after one period. */
    public void start() {
        for (Run run : runs) {
            long minutes = run.schedule.period().toMinutes();
            repeat(run, minute.multipliedBy(minutes).toNanos(), System.nanoTime());
        }
    }

    /** Runs every schedule once, now, one after the other; failures are logged. */
    public void runAll() {
        runs.forEach(Run::run);
    }

    /** Stops the timer and waits at most 10 s for runs in progress. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                log.warn("schedule_still_running", Map.of());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a schedule periodically, counted from start to start. After a run longer than a period the next run starts at once. */
    private void repeat(Run run, long periodNanos, long lastStartNanos) {
        long waitNanos = Math.max(0, lastStartNanos + periodNanos - System.nanoTime());
        timer.schedule(
                () -> {
                    long startNanos = System.nanoTime();
                    run.run();
                    if (!timer.isShutdown()) {
                        repeat(run, periodNanos, startNanos);
                    }
                },
                waitNanos,
                TimeUnit.NANOSECONDS);
    }

    private final class Run {

        private final EmulatedFunction function;
        private final ScheduleDefinition schedule;
        private final ScheduledPayload payload;

        Run(EmulatedFunction function, ScheduleDefinition schedule, ScheduledPayload payload) {
            this.function = function;
            this.schedule = schedule;
            this.payload = payload;
        }

        synchronized void run() {
            try {
                function.invoke(payload.at(clock.instant()));
            } catch (FunctionFailedException e) {
                log.failure("scheduled_run_failed", function.definition().name(), e.getCause());
            }
        }
    }
}
