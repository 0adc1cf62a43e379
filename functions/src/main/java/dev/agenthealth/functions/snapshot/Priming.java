package dev.agenthealth.functions.snapshot;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.wiring.Wiring;
import java.util.List;
import java.util.Map;
import org.crac.Context;
import org.crac.Resource;

/**
 * Prepares a function before its snapshot is taken, so that no request waits for it after a restore: loads and links classes, and sends a
 * request with each client. It only reads. It keeps nothing time-dependent or random, and no result that later requests rely on.
 *
 * <p>The runtime holds it weakly: a function keeps a reference.
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

    /** Registers a priming with the runtime. */
    public static Priming registered(Wiring wiring, Log log, List<Part> parts) {
        Priming priming = new Priming(log, parts);
        wiring.snapshots().accept(priming);
        return priming;
    }

    /**
     * Runs all parts. A part that fails runs a second time, since its first run in a cold process may exceed a time-out. A part that fails
     * twice is logged and does not fail the deployment: the instance is slower at first and otherwise the same.
     */
    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {
        long failed = parts.stream().filter(part -> !isDone(part, TRIES)).count();
        log.info("primed", Map.of("parts", parts.size(), "failed", failed));
    }

    /** Connections and names are looked up again when they are used; nothing else expires. */
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
