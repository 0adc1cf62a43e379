package dev.agenthealth.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The tasks and the load of an agent. The session's lock guards it. */
final class Work {

    /** The registry's limits. Further task ids are left out, since a heartbeat must never be refused because of them. */
    private static final int MAX_TASKS = 1_000;

    private static final int MAX_TASK_ID_LENGTH = 128;

    private final Map<String, Integer> tasks = new LinkedHashMap<>();
    private int running;
    private OptionalInt declared = OptionalInt.empty();

    void begin(String taskId) {
        running++;
        if (!taskId.isEmpty()) {
            tasks.merge(taskId, 1, Integer::sum);
        }
    }

    void end(String taskId) {
        running--;
        tasks.computeIfPresent(taskId, (id, count) -> count == 1 ? null : count - 1);
    }

    /** Sets the load instead of the number of begun tasks. */
    void declare(int load) {
        declared = OptionalInt.of(load);
    }

    int load() {
        return declared.orElse(running);
    }

    List<String> tasks() {
        return tasks.keySet().stream()
                .filter(id -> id.length() <= MAX_TASK_ID_LENGTH)
                .limit(MAX_TASKS)
                .toList();
    }
}
