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
    private static final Instant NEVER = Instant.MAX;

    private final String agentId;
    private final int number;
    private final Behaviour behaviour;
    private final FleetPlan plan;
    private final RegistryHttp registry;
    private final Executions executions;
    private final Reports reports;

    private Phase phase = Phase.ABSENT;
    private Instant phaseBegan;
    private Instant nextBeat;
    private Instant modelChanged = NEVER;
    private int beats;
    private int tasks = 1;
    private int unexpectedAnswers;

    private enum Phase {
        ABSENT,
        WORKING,
        SILENT,
        LEAVING
    }

    /**
     * @param number its place in the fleet
     * @param registry the registry with the agent's key
     * @param coordinator the registry with the key of the coordinator that uses the agent
     * @param startsAt when it registers first
     */
    SimulatedAgent(
            String agentId,
            int number,
            Behaviour behaviour,
            FleetPlan plan,
            RegistryHttp registry,
            RegistryHttp coordinator,
            Instant startsAt) {
        this.agentId = agentId;
        this.number = number;
        this.behaviour = behaviour;
        this.plan = plan;
        this.registry = registry;
        this.executions = new Executions(behaviour.work(), plan.window(), startsAt.minus(plan.past()));
        this.reports = new Reports(
                agentId,
                behaviour.reporting(),
                behaviour.reporting() == Reporting.BY_COORDINATOR ? coordinator : registry);
        this.phaseBegan = startsAt;
        this.nextBeat = startsAt;
    }

    String agentId() {
        return agentId;
    }

    int number() {
        return number;
    }

    Behaviour behaviour() {
        return behaviour;
    }

    /** What it reported of its executions. */
    Reports reports() {
        return reports;
    }

    /** When it changed its model; {@link Instant#MAX} where it did not. */
    Instant modelChanged() {
        return modelChanged;
    }

    /** Answers that this behaviour does not explain. */
    int unexpectedAnswers() {
        return unexpectedAnswers + reports.unexpectedAnswers();
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
        expect(registry.post("/api/v1/agents", Declaration.registration(agentId, number, behaviour, plan)), 201);
        begin(Phase.WORKING, now, now.plus(plan.interval()));
    }

    private void work(Instant now) {
        // By their numbers, the agents take turns.
        if ((++beats + number) % plan.beatsPerReport() == 0) {
            reports.add(executions.endedBy(now));
        }
        boolean enough = !now.isBefore(phaseBegan.plus(plan.workingTime()));
        if (enough) {
            turn(now);
        } else {
            beat(now);
        }
    }

    /** Does what makes this behaviour a special one. */
    private void turn(Instant now) {
        switch (behaviour) {
            case PAUSING -> begin(Phase.SILENT, now, now.plus(plan.pause()));
            case CRASHING -> begin(Phase.SILENT, now, now.plus(plan.crash()));
            case SILENT -> {
                reports.add(executions.endedBy(now));
                beat(now);
                begin(Phase.SILENT, now, NEVER);
            }
            case DRAINING -> {
                tasks = TASKS_AT_START_OF_DRAIN;
                expect(beat(now, "draining"), 200);
                begin(Phase.LEAVING, now, now.plus(plan.interval()));
            }
            case DECLINING -> {
                if (modelChanged.equals(NEVER)) {
                    reports.add(executions.endedBy(now));
                    expect(registry.patch("/api/v1/agents/" + agentId, Declaration.nextModel(), "*"), 200);
                    modelChanged = now;
                    executions.goOnWith(behaviour.workOnNextModel());
                }
                beat(now);
            }
            default -> beat(now);
        }
    }

    private void beat(Instant now) {
        expect(beat(now, "active"), 200);
        reports.send(now);
        nextBeat = now.plus(plan.interval());
    }

    private void comeBack(Instant now) {
        RegistryHttp.Answer answer = beat(now, "active");
        expect(answer, behaviour == Behaviour.CRASHING ? 410 : 200);
        begin(answer.status() == 410 ? Phase.ABSENT : Phase.WORKING, now, now.plus(plan.interval()));
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

    private RegistryHttp.Answer beat(Instant now, String status) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("status", status);
        body.put("current_load", tasks);
        ArrayNode ids = body.putArray("tasks_in_progress");
        for (int i = 0; i < tasks; i++) {
            ids.add("task-" + agentId + "-" + i);
        }
        Instant clock = behaviour == Behaviour.DRIFTING ? now.plus(DRIFT) : now;
        body.put("client_timestamp", clock.toString());
        reports.ride(body);
        RegistryHttp.Answer answer = registry.post("/api/v1/agents/" + agentId + "/heartbeat", body);
        reports.rode(answer.json(), now);
        return answer;
    }

    private void expect(RegistryHttp.Answer answer, int expected) {
        if (answer.status() != expected) {
            unexpectedAnswers++;
        }
    }

    private void begin(Phase next, Instant now, Instant due) {
        phase = next;
        phaseBegan = now;
        nextBeat = due;
    }
}
