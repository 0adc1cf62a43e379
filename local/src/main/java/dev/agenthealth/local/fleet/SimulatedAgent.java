package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;

/** A simulated agent. The caller passes the time, so that the same fleet runs in real time and on the clock of a test. Not thread-safe. */
final class SimulatedAgent {

    private static final Duration DRIFT = Duration.ofHours(1);
    private static final int TASKS_AT_START_OF_DRAIN = 2;
    private static final Instant NEVER = Instant.MAX;

    private final ObjectNode registration;
    private final String agentId;
    private final int number;
    private final Behaviour behaviour;
    private final FleetPlan plan;
    private final RegistryHttp registry;
    private final Executions executions;
    private final Reports reports;

    private Phase phase = Phase.ABSENT;
    private Instant phaseBegan;
    private Instant nextHeartbeat;
    private Instant modelChanged = NEVER;
    private int heartbeats;
    private int tasks = 1;
    private int unexpectedAnswers;

    private enum Phase {
        ABSENT,
        WORKING,
        SILENT,
        LEAVING
    }

    /**
     * @param registration the body of its registrations
     * @param number its index in the fleet
     * @param registry the registry with the agent's key
     * @param coordinator the registry with the key of a coordinator
     * @param startsAt the time of its first registration
     */
    SimulatedAgent(
            ObjectNode registration,
            int number,
            Behaviour behaviour,
            FleetPlan plan,
            RegistryHttp registry,
            RegistryHttp coordinator,
            Instant startsAt) {
        this.registration = registration;
        this.agentId = registration.path("agent_id").asText();
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
        this.nextHeartbeat = startsAt;
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

    /** Returns its reported outcomes. */
    Reports reports() {
        return reports;
    }

    /** Returns the time of the change of its model; {@link Instant#MAX} without a change. */
    Instant modelChanged() {
        return modelChanged;
    }

    /** Returns the number of answers that do not match its behaviour. */
    int unexpectedAnswers() {
        return unexpectedAnswers + reports.unexpectedAnswers();
    }

    /** Returns true if an action is due. */
    boolean isDue(Instant now) {
        return !now.isBefore(nextHeartbeat);
    }

    /** Does the due action. */
    void act(Instant now) {
        switch (phase) {
            case ABSENT -> register(now);
            case WORKING -> work(now);
            case SILENT -> resume(now);
            case LEAVING -> leave(now);
        }
    }

    private void register(Instant now) {
        expect(registry.post("/api/v1/agents", registration), 201);
        begin(Phase.WORKING, now, now.plus(plan.interval()));
    }

    private void work(Instant now) {
        // Agents report at different times.
        if ((++heartbeats + number) % plan.heartbeatsPerReport() == 0) {
            reports.add(executions.endedUntil(now));
        }
        boolean enough = !now.isBefore(phaseBegan.plus(plan.workingTime()));
        if (enough) {
            actByBehaviour(now);
        } else {
            heartbeat(now);
        }
    }

    /** Does the actions of this behaviour that others lack. */
    private void actByBehaviour(Instant now) {
        switch (behaviour) {
            case PAUSING -> begin(Phase.SILENT, now, now.plus(plan.pause()));
            case CRASHING -> begin(Phase.SILENT, now, now.plus(plan.crash()));
            case SILENT -> {
                reports.add(executions.endedUntil(now));
                heartbeat(now);
                begin(Phase.SILENT, now, NEVER);
            }
            case DRAINING -> {
                tasks = TASKS_AT_START_OF_DRAIN;
                expect(heartbeat(now, "draining"), 200);
                begin(Phase.LEAVING, now, now.plus(plan.interval()));
            }
            case DECLINING -> {
                if (modelChanged.equals(NEVER)) {
                    reports.add(executions.endedUntil(now));
                    expect(registry.patch("/api/v1/agents/" + agentId, Declaration.nextModel(), "*"), 200);
                    modelChanged = now;
                    executions.continueWith(behaviour.workOnNextModel());
                }
                heartbeat(now);
            }
            default -> heartbeat(now);
        }
    }

    private void heartbeat(Instant now) {
        expect(heartbeat(now, "active"), 200);
        reports.send(now);
        nextHeartbeat = now.plus(plan.interval());
    }

    private void resume(Instant now) {
        RegistryHttp.Answer answer = heartbeat(now, "active");
        expect(answer, behaviour == Behaviour.CRASHING ? 410 : 200);
        begin(answer.status() == 410 ? Phase.ABSENT : Phase.WORKING, now, now.plus(plan.interval()));
    }

    private void leave(Instant now) {
        if (tasks == 0) {
            // The previous heartbeat reported no task and completed the drain.
            expect(heartbeat(now, "draining"), 410);
            tasks = 1;
            begin(Phase.ABSENT, now, now.plus(plan.interval()));
        } else {
            tasks--;
            expect(heartbeat(now, "draining"), 200);
            nextHeartbeat = now.plus(plan.interval());
        }
    }

    private RegistryHttp.Answer heartbeat(Instant now, String status) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("status", status);
        body.put("current_load", tasks);
        ArrayNode ids = body.putArray("tasks_in_progress");
        for (int i = 0; i < tasks; i++) {
            ids.add("task-" + agentId + "-" + i);
        }
        Instant clock = behaviour == Behaviour.DRIFTING ? now.plus(DRIFT) : now;
        body.put("client_timestamp", clock.toString());
        reports.attachTo(body);
        RegistryHttp.Answer answer = registry.post("/api/v1/agents/" + agentId + "/heartbeat", body);
        reports.answered(answer.json(), now);
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
        nextHeartbeat = due;
    }
}
