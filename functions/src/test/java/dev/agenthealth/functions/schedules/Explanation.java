package dev.agenthealth.functions.schedules;

import dev.agenthealth.functions.schedules.LifecycleModel.Progress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The search for an order of atomic steps in which the model gives the answers and the state that a schedule gave. */
final class Explanation {

    /**
     * What a schedule gave.
     *
     * @param repeated operations whose process ended and began again, or whose request may have been sent twice
     * @param first the place of each operation's first request among those of all
     * @param last the place of its last one: operations that began after it follow in the model too
     * @param written the place of its last write, with which the search begins
     */
    record Outcome(
            List<Act> acts,
            List<String> answers,
            boolean[] repeated,
            int[] first,
            int[] last,
            int[] written,
            String state) {}

    /** States that are visited before equal ones are looked for. */
    private static final int FEW = 300;

    private final Outcome outcome;
    private final Set<String> visited = new HashSet<>();
    private final List<Integer> likely;
    private long steps;

    private Explanation(Outcome outcome) {
        this.outcome = outcome;
        this.likely = IntStream.range(0, outcome.acts().size())
                .boxed()
                .sorted(Comparator.comparingInt(
                        i -> outcome.written()[i] < 0 ? outcome.first()[i] : outcome.written()[i]))
                .toList();
    }

    /** Returns whether the model can have come to this outcome from this state. */
    static boolean exists(LifecycleModel before, Outcome outcome) {
        Explanation search = new Explanation(outcome);
        return search.continues(
                before, outcome.acts().stream().map(before::begin).toArray(Progress[]::new));
    }

    private boolean continues(LifecycleModel state, Progress[] all) {
        if (++steps > FEW && !visited.add(state.whole() + Arrays.toString(all))) {
            return false;
        }
        boolean done = true;
        for (int i : likely) {
            Progress progress = all[i];
            if (progress.done() && progress.answer().equals(outcome.answers().get(i))) {
                continue;
            }
            done = false;
        }
        if (done && state.toString().equals(outcome.state())) {
            return true;
        }
        for (int i : likely) {
            Progress progress = all[i];
            if (!progress.done() && mayStep(i, all)) {
                LifecycleModel next = state.copy();
                Progress after = next.step(progress);
                boolean refuted = after.done()
                        && !after.answer().equals(outcome.answers().get(i))
                        && (after.repeated() || !outcome.repeated()[i]);
                if (!refuted && continues(next, with(all, i, after))) {
                    return true;
                }
                Optional<Progress> withoutRow = state.withoutRow(progress);
                if (withoutRow.isPresent() && continues(state, with(all, i, withoutRow.get()))) {
                    return true;
                }
                if (state.revoked && isHeartbeatOfOldSecret(progress) && explainsSecret(state, all, i)) {
                    return true;
                }
                // An answer that was sent twice is no answer that the agent has: it does not complete a drain.
                boolean counted = progress.repeated()
                        && progress.place() == 1
                        && progress.act().kind().isHeartbeat();
                if (counted && progress.answer().equals(outcome.answers().get(i))) {
                    Progress ended =
                            new Progress(progress.act(), 1, progress.seen(), -1, true, progress.answer(), true);
                    if (continues(state, with(all, i, ended))) {
                        return true;
                    }
                }
            }
            if (outcome.repeated()[i]
                    && !progress.repeated()
                    && progress.place() + (progress.done() ? 1 : 0) > 0
                    && continues(state, with(all, i, progress.again()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isHeartbeatOfOldSecret(Progress progress) {
        return progress.act().kind().isHeartbeat() && progress.place() == 0;
    }

    /**
     * A heartbeat that comes with an old secret is recorded after its key was looked up: it may be refused whatever the row has meanwhile, and counted
     * where the key was revoked after the look.
     */
    private boolean explainsSecret(LifecycleModel state, Progress[] all, int i) {
        Progress progress = all[i];
        if (outcome.answers().get(i).equals(LifecycleModel.UNAUTHENTICATED)) {
            String refused = LifecycleModel.UNAUTHENTICATED;
            return continues(
                    state,
                    with(
                            all,
                            i,
                            new Progress(progress.act(), 0, progress.seen(), -1, progress.repeated(), refused, true)));
        }
        for (int j = 0; j < all.length; j++) {
            if (outcome.acts().get(j).kind() == Act.Kind.REVOKE_KEY && outcome.last()[j] < outcome.first()[i]) {
                return false;
            }
        }
        LifecycleModel looked = state.copy();
        looked.revoked = false;
        Progress after = looked.step(progress);
        looked.revoked = true;
        return continues(looked, with(all, i, after));
    }

    private boolean mayStep(int i, Progress[] all) {
        for (int j = 0; j < all.length; j++) {
            if (outcome.last()[j] >= 0 && outcome.last()[j] < outcome.first()[i] && !all[j].done()) {
                return false;
            }
        }
        return true;
    }

    private static Progress[] with(Progress[] all, int i, Progress next) {
        Progress[] changed = all.clone();
        changed[i] = next;
        return changed;
    }
}
