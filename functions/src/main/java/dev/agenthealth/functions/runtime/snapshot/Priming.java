package dev.agenthealth.functions.runtime.snapshot;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.crac.Context;
import org.crac.Resource;

/**
 * Prepares a function before its snapshot is taken, so that no request waits for the preparation after a restore. It loads and links
 * classes, sends a request with each client, and repeats the work of each request until the runtime has compiled it. It changes nothing. It
 * keeps nothing time-dependent or random, and no result on which later requests rely.
 *
 * <p>The runtime holds a weak reference to it: a function keeps a strong reference.
 */
public final class Priming implements Resource {

    private static final int TRIES = 2;

    /** The number of repetitions after which first requests get hardly faster, by {@code docs/performance.md}. */
    private static final int REPETITIONS = 100;

    /** The time after which no repetition begins, so that a slow database does not delay a deployment. */
    private static final Duration MAX_REPEATING = Duration.ofSeconds(2);

    private final Clock clock;
    private final Log log;
    private final List<Part> parts;

    /**
     * A part of the preparation. A failed part does not affect the other parts.
     *
     * @param name the part's name in the log
     * @param work the work of the part
     * @param repeated whether the work is part of each request
     */
    public record Part(String name, Runnable work, boolean repeated) {}

    private Priming(Clock clock, Log log, List<Part> parts) {
        this.clock = clock;
        this.log = log;
        this.parts = List.copyOf(parts);
    }

    /** Returns a priming that is registered with the runtime. */
    public static Priming registered(Wiring wiring, Log log, List<Part> parts) {
        Priming priming = new Priming(wiring.clock(), log, parts);
        wiring.snapshots().accept(priming);
        return priming;
    }

    /**
     * Runs all parts. A failed part runs a second time, because its first run in a cold process may exceed a time-out. A part that fails
     * twice is logged and does not fail the deployment: the instance is only slower at first.
     */
    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {
        List<Part> done = parts.stream().filter(part -> isDone(part, TRIES)).toList();
        int failed = parts.size() - done.size();
        if (failed == 0) {
            repeat(done.stream().filter(Part::repeated).toList());
        }
        log.info("primed", Map.of("parts", parts.size(), "failed", failed));
    }

    /** Does nothing: clients renew connections and resolve names on use, and nothing else expires. */
    @Override
    public void afterRestore(Context<? extends Resource> context) {
        log.info("restored", Map.of());
    }

    private void repeat(List<Part> repeated) {
        Instant until = clock.instant().plus(MAX_REPEATING);
        for (int i = 0; i < REPETITIONS && clock.instant().isBefore(until); i++) {
            if (!repeated.stream().allMatch(part -> isDone(part, 1))) {
                return;
            }
        }
    }

    private boolean isDone(Part part, int tries) {
        try {
            part.work().run();
            return true;
        } catch (RuntimeException | LinkageError e) {
            if (tries > 1) {
                return isDone(part, tries - 1);
            }
            log.failure("part_not_primed", part.name(), e);
            return false;
        }
    }
}
