package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Chooses the steps of each order once, depth first: a run follows the path of the run before it, and takes another alternative at its end. */
final class DepthFirstSearch implements Interleavings.Chooser {

    private final List<Branch> path = new ArrayList<>();
    private final boolean conflictsOnly;
    private int depth;
    private boolean redundant;

    /** @param conflictsOnly whether orders count as one if they differ only in requests on different items */
    DepthFirstSearch(boolean conflictsOnly) {
        this.conflictsOnly = conflictsOnly;
    }

    @Override
    public Interleavings.Choice choose(List<Integer> unfinished, Map<Integer, DynamoDbRequest> next) {
        if (redundant) {
            return new Interleavings.Choice(unfinished.get(0), Interleavings.Fate.ANSWERED);
        }
        if (depth == path.size()) {
            Set<Integer> asleep = depth == 0 ? Set.of() : asleep(path.get(depth - 1));
            Map<Integer, Touched> touched = new TreeMap<>();
            if (conflictsOnly) {
                next.forEach((operation, request) -> touched.put(operation, Touched.by(request)));
            }
            Branch branch = new Branch(unfinished, touched, asleep, new ArrayList<>());
            if (!tryNext(branch)) {
                redundant = true;
                return new Interleavings.Choice(unfinished.get(0), Interleavings.Fate.ANSWERED);
            }
            path.add(branch);
        }
        return new Interleavings.Choice(path.get(depth++).chosen(), Interleavings.Fate.ANSWERED);
    }

    private Set<Integer> asleep(Branch before) {
        if (!conflictsOnly) {
            return Set.of();
        }
        Touched made = before.next().get(before.chosen());
        Set<Integer> asleep = new HashSet<>(before.asleep());
        asleep.addAll(before.tried().subList(0, before.tried().size() - 1));
        asleep.remove(before.chosen());
        asleep.removeIf(operation -> before.next().get(operation).conflicts(made));
        return asleep;
    }

    /** Returns whether the order of this run repeats an earlier order, except for requests on different items. */
    boolean isRedundant() {
        return redundant;
    }

    private static boolean tryNext(Branch branch) {
        for (int operation : branch.unfinished()) {
            if (!branch.asleep().contains(operation) && !branch.tried().contains(operation)) {
                return branch.tried().add(operation);
            }
        }
        return false;
    }

    /** Changes the path to the next alternative of the latest step that has one; returns false after the last order. */
    boolean advance() {
        depth = 0;
        redundant = false;
        while (!path.isEmpty()) {
            if (tryNext(path.get(path.size() - 1))) {
                return true;
            }
            path.remove(path.size() - 1);
        }
        return false;
    }

    /**
     * The choice at one step of a search.
     *
     * @param asleep operations whose next step was tried before and conflicts with nothing since
     * @param tried operations that were tried here; the last is on the path
     */
    private record Branch(
            List<Integer> unfinished, Map<Integer, Touched> next, Set<Integer> asleep, List<Integer> tried) {

        int chosen() {
            return tried.get(tried.size() - 1);
        }
    }
}
