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

/** Takes snapshots as Lambda's runtime does: it knows what is to be done before only for as long as somebody else holds it. */
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

    /** Everything that is to be done before a snapshot is done; gives how many hooks there were. */
    public int take() {
        try {
            beforeCheckpoint(this);
            return alive().size();
        } catch (CheckpointException e) {
            throw new AssertionError(e);
        }
    }

    /** Everything that is to be done after a restore is done. */
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
