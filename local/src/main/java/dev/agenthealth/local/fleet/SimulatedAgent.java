package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;

/**
 * One agent. It does what is due when it is told the time, so that the same fleet runs in real time and in a test that moves its clock.
 * Not thread-safe.
 */
final class SimulatedAgent {

    private static final Duration DRIFT = Duration.ofHours(1);
    private static final int TASKS_AT_START_OF_DRAIN = 2;

    private final String agentId;
    private final Behaviour behaviour;
    private final FleetPlan plan;
    private final RegistryHttp registry;

    private Phase phase = Phase.ABSENT;
    private Instant phaseBegan;
    private Instant nextBeat;
    private int tasks = 1;
    private int unexpectedAnswers;

    private enum Phase {
        ABSENT,
        WORKING,
        SILENT,
        LEAVING
    }

    /**
     * @param startsAt when it registers first
     */
    SimulatedAgent(String agentId, Behaviour behaviour, FleetPlan plan, RegistryHttp registry, Instant startsAt) {
        this.agentId = agentId;
        this.behaviour = behaviour;
        this.plan = plan;
        this.registry = registry;
        this.phaseBegan = startsAt;
        this.nextBeat = startsAt;
    }

    String agentId() {
        return agentId;
    }

    Behaviour behaviour() {
        return behaviour;
    }

    /** Answers that this behaviour does not explain. */
    int unexpectedAnswers() {
        return unexpectedAnswers;
    }

    /** Whether something is due. */
    boolean isDue(Instant now) {
        return !now.isBefore(nextBeat);
    }

    /** Does what is due now. */
    void live(Instant now) {
        switch (phase) {
            case ABSENT -> register(now);
            case WORKING -> work(now);
            case SILENT -> comeBack(now);
            case LEAVING -> leave(now);
        }
    }

    private void register(Instant now) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("agent_id", agentId);
        body.put("role_id", "simulated-" + behaviour.word());
        body.put("name", "Simulated " + behaviour.word() + " agent");
        body.putArray("capabilities").add("simulated").add(behaviour.word());
        body.putObject("capacity").put("max_concurrent_tasks", 5);
        body.putObject("heartbeat_config")
                .put("interval_seconds", plan.intervalSeconds())
                .put("unhealthy_after_seconds", plan.unhealthyAfterSeconds())
                .put("dead_after_seconds", plan.deadAfterSeconds());
        expect(registry.post("/api/v1/agents", body).status(), 201);
        begin(Phase.WORKING, now, now.plus(plan.interval()));
    }

    private void work(Instant now) {
        boolean enough = !now.isBefore(phaseBegan.plus(plan.workingTime()));
        if (enough && behaviour == Behaviour.PAUSING) {
            begin(Phase.SILENT, now, now.plus(plan.pause()));
        } else if (enough && behaviour == Behaviour.CRASHING) {
            begin(Phase.SILENT, now, now.plus(plan.crash()));
        } else if (enough && behaviour == Behaviour.DRAINING) {
            tasks = TASKS_AT_START_OF_DRAIN;
            expect(beat(now, "draining"), 200);
            begin(Phase.LEAVING, now, now.plus(plan.interval()));
        } else {
            expect(beat(now, "active"), 200);
            nextBeat = now.plus(plan.interval());
        }
    }

    private void comeBack(Instant now) {
        int status = beat(now, "active");
        expect(status, behaviour == Behaviour.CRASHING ? 410 : 200);
        begin(status == 410 ? Phase.ABSENT : Phase.WORKING, now, now.plus(plan.interval()));
    }

    private void leave(Instant now) {
        if (tasks == 0) {
            // The heartbeat before reported that no task is left, and completed the drain.
            expect(beat(now, "draining"), 410);
            tasks = 1;
            begin(Phase.ABSENT, now, now.plus(plan.interval()));
        } else {
            tasks--;
            expect(beat(now, "draining"), 200);
            nextBeat = now.plus(plan.interval());
        }
    }

    private int beat(Instant now, String status) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("status", status);
        body.put("current_load", tasks);
        ArrayNode ids = body.putArray("tasks_in_progress");
        for (int i = 0; i < tasks; i++) {
            ids.add("task-" + agentId + "-" + i);
        }
        Instant clock = behaviour == Behaviour.DRIFTING ? now.plus(DRIFT) : now;
        body.put("client_timestamp", clock.toString());
        return registry.post("/api/v1/agents/" + agentId + "/heartbeat", body).status();
    }

    private void expect(int status, int expected) {
        if (status != expected) {
            unexpectedAnswers++;
        }
    }

    private void begin(Phase next, Instant now, Instant due) {
        phase = next;
        phaseBegan = now;
        nextBeat = due;
    }
}
