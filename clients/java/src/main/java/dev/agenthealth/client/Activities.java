package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The running tasks and calls of an agent, with the time of their last progress. Heartbeats use them to distinguish work from a process
 * that is merely alive. Thread-safe.
 */
final class Activities {

    /** The phases of a task or call, by the names of the registry. */
    enum Phase {
        MODEL("model"),
        TOOL("tool"),
        HUMAN("human"),
        OTHER("other");

        private final String wireName;

        Phase(String wireName) {
            this.wireName = wireName;
        }
    }

    /** A task or a call. Its {@link Activities} guard the fields that change. */
    static final class Activity {

        private final Phase phase;
        private final Optional<Activity> parent;
        private final Optional<Activity> outer;
        private final String waitsFor;
        private final Repetitions repetitions;
        private final TaskUsage usage;
        private long lastProgress;
        private int calls;
        private boolean repeated;
        private boolean closed;

        /** Returns the tokens and calls of the task that the activity belongs to. */
        TaskUsage usage() {
            return usage;
        }

        private Activity(Phase phase, Optional<Activity> parent, Optional<Activity> outer, String waitsFor) {
            this.phase = phase;
            this.parent = parent;
            this.outer = outer;
            this.waitsFor = waitsFor;
            this.repetitions = parent.map(task -> task.repetitions).orElseGet(Repetitions::new);
            this.usage = parent.map(task -> task.usage).orElseGet(TaskUsage::new);
        }
    }

    /** The maximum length of the text that says what a wait is for, in characters. */
    private static final int MAX_WAITS_FOR = 200;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Orders by the time without progress. A task that waits for a person comes last, because such a wait is normal. */
    private static final Comparator<Activity> LONGEST_FIRST = Comparator.comparing(
                    (Activity activity) -> activity.phase == Phase.HUMAN)
            .thenComparingLong(activity -> activity.lastProgress);

    private final Scheduler scheduler;
    private final ThreadLocal<Activity> innermost = new ThreadLocal<>();
    private final Set<Activity> open = new LinkedHashSet<>();

    Activities(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Begins a task or call, which becomes the innermost activity of this thread. Beginning a call counts as progress of its parent. */
    Activity begin(Phase phase, Optional<Activity> parent) {
        return begin(phase, parent, "");
    }

    /**
     * Begins a task or call, which becomes the innermost activity of this thread.
     *
     * @param waitsFor the thing that a person has to do; empty if the agent does not say it
     */
    synchronized Activity begin(Phase phase, Optional<Activity> parent, String waitsFor) {
        int length = Math.min(waitsFor.length(), MAX_WAITS_FOR);
        Activity begun = new Activity(phase, parent, current(), waitsFor.substring(0, length));
        begun.lastProgress = scheduler.nanoTime();
        parent.ifPresent(task -> task.calls++);
        open.add(begun);
        innermost.set(begun);
        count(begun);
        return begun;
    }

    /** Counts a call of a model or a tool. A call of a model within another, such as the call of a listener, is the same call. */
    private static void count(Activity begun) {
        if (begun.phase == Phase.TOOL) {
            begun.usage.addToolCall();
        } else if (begun.phase == Phase.MODEL
                && begun.parent.filter(outer -> outer.phase == Phase.MODEL).isEmpty()) {
            begun.usage.addModelCall();
        }
    }

    /** Begins a call of a tool whose name and arguments are known. A repeated call is no progress. */
    synchronized Activity beginTool(String tool, long signature, Optional<Activity> parent) {
        Activity begun = begin(Phase.TOOL, parent);
        begun.repeated = begun.repetitions.call(tool, signature);
        if (begun.repeated) {
            parent.ifPresent(task -> begun.lastProgress = task.lastProgress);
        }
        return begun;
    }

    /** Begins a call of a tool of which nothing is known. */
    synchronized Activity beginTool(Optional<Activity> parent) {
        Activity begun = begin(Phase.TOOL, parent);
        begun.repetitions.unknownCall();
        return begun;
    }

    synchronized void end(Activity activity) {
        if (activity.closed) {
            return;
        }
        activity.closed = true;
        open.remove(activity);
        activity.parent.ifPresent(task -> {
            task.calls--;
            if (!activity.repeated) {
                task.lastProgress = scheduler.nanoTime();
            }
        });
        current().ifPresentOrElse(innermost::set, innermost::remove);
    }

    synchronized void progress(Activity activity) {
        activity.lastProgress = scheduler.nanoTime();
    }

    /** Returns the innermost open task or call of this thread. */
    synchronized Optional<Activity> current() {
        Optional<Activity> current = Optional.ofNullable(innermost.get());
        while (current.isPresent() && current.get().closed) {
            current = current.get().outer;
        }
        return current;
    }

    /** Returns the activity for a heartbeat: the task or call that is longest without progress. Empty if nothing runs. */
    synchronized Optional<ObjectNode> report() {
        long now = scheduler.nanoTime();
        return open.stream()
                .filter(activity -> activity.calls == 0)
                .min(LONGEST_FIRST)
                .map(activity -> withRepetition(json(activity, now)));
    }

    private static ObjectNode json(Activity activity, long now) {
        ObjectNode json = Json.object()
                .put("phase", activity.phase.wireName)
                .put("no_progress_seconds", Math.max(0, now - activity.lastProgress) / NANOS_PER_SECOND);
        return activity.waitsFor.isEmpty() ? json : json.put("for", activity.waitsFor);
    }

    /** Adds the repetition of the task that repeated its calls most often. */
    private ObjectNode withRepetition(ObjectNode report) {
        open.stream()
                .map(activity -> activity.repetitions)
                .max(Comparator.comparingInt(Repetitions::repeats))
                .filter(repetitions -> repetitions.repeats() > 0)
                .ifPresent(repetitions ->
                        report.put("repeats", repetitions.repeats()).put("tool", repetitions.tool()));
        return report;
    }
}
