package dev.agenthealth.functions.snapshot;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.wiring.Wiring;
import java.util.List;
import java.util.Map;
import org.crac.Context;
import org.crac.Resource;

/**
 * What a function does once before its snapshot is taken, so that no caller waits for it after a restore: classes are loaded and linked,
 * clients have made a request. Whatever it does only reads, and leaves nothing behind that is dated, drawn by lot or to be trusted later.
 *
 * <p>The runtime holds it weakly: a function keeps it for as long as it lives.
 */
public final class Priming implements Resource {

    private static final int TRIES = 2;

    private final Log log;
    private final List<Part> parts;

    /**
     * A part that may fail without the others.
     *
     * @param name as the log calls it
     * @param work done once
     */
    public record Part(String name, Runnable work) {}

    private Priming(Log log, List<Part> parts) {
        this.log = log;
        this.parts = List.copyOf(parts);
    }

    /** A priming of which the runtime knows. */
    public static Priming registered(Wiring wiring, Log log, Part... parts) {
        Priming priming = new Priming(log, List.of(parts));
        wiring.snapshots().accept(priming);
        return priming;
    }

    /**
     * Does all parts, and one that fails a second time, since the first try of a cold process may have taken longer than a time-out allows. What
     * fails again is in the log and keeps nothing from being deployed: an instance that was not primed is slower at first and
     * otherwise the same, while a storage that is busy for a moment would make a deployment fail for nothing.
     */
    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {
        long failed = parts.stream().filter(part -> !isDone(part, TRIES)).count();
        log.info("primed", Map.of("parts", parts.size(), "failed", failed));
    }

    /** Nothing is to be done: connections and names are looked up anew by whoever needs them, and nothing else goes out of date. */
    @Override
    public void afterRestore(Context<? extends Resource> context) {
        log.info("restored", Map.of());
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
