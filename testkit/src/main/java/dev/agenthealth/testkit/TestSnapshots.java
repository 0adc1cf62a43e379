package dev.agenthealth.testkit;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.crac.CheckpointException;
import org.crac.Context;
import org.crac.Resource;
import org.crac.RestoreException;

/** Takes snapshots like Lambda's runtime, which holds only weak references to the hooks. */
public final class TestSnapshots extends Context<Resource> implements Consumer<Resource> {

    private final List<WeakReference<Resource>> registered = new ArrayList<>();

    @Override
    public void accept(Resource resource) {
        register(resource);
    }

    @Override
    public synchronized void register(Resource resource) {
        registered.add(new WeakReference<>(resource));
    }

    /** Runs the hooks before a snapshot and returns their number. */
    public int take() {
        try {
            beforeCheckpoint(this);
            return alive().size();
        } catch (CheckpointException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs the hooks after a restore. */
    public void restore() {
        try {
            afterRestore(this);
        } catch (RestoreException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) throws CheckpointException {
        for (Resource resource : alive()) {
            try {
                resource.beforeCheckpoint(this);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) throws RestoreException {
        for (Resource resource : alive()) {
            try {
                resource.afterRestore(this);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private synchronized List<Resource> alive() {
        return registered.stream()
                .flatMap(reference -> Optional.ofNullable(reference.get()).stream())
                .toList();
    }
}
