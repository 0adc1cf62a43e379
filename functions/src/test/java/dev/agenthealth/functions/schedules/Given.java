package dev.agenthealth.functions.schedules;

import static dev.agenthealth.functions.schedules.Act.Kind.ACQUIRE;
import static dev.agenthealth.functions.schedules.Act.Kind.BLOCK;
import static dev.agenthealth.functions.schedules.Act.Kind.COMMAND;
import static dev.agenthealth.functions.schedules.Act.Kind.DEREGISTER;
import static dev.agenthealth.functions.schedules.Act.Kind.DRAIN;
import static dev.agenthealth.functions.schedules.Act.Kind.DRAIN_BY_OPERATOR;
import static dev.agenthealth.functions.schedules.Act.Kind.HEARTBEAT;
import static dev.agenthealth.functions.schedules.Act.Kind.HEARTBEAT_BUSY;
import static dev.agenthealth.functions.schedules.Act.Kind.REGISTER;
import static dev.agenthealth.functions.schedules.Act.Kind.ROTATE_KEY;
import static dev.agenthealth.functions.schedules.Act.Kind.SIGN_BY_PROBE;
import static dev.agenthealth.functions.schedules.Act.Kind.SILENCE;
import static dev.agenthealth.functions.schedules.Act.Kind.SWEEP;

import java.util.List;

/** How a schedule begins: operations one after the other, and waits between them in seconds. */
record Given(List<Object> steps) {

    /** When every schedule runs, in seconds: what the functions cache does not expire. */
    static final long NOW = 86_400;

    /** All beginnings. */
    static final List<Given> ALL = List.of(
            of(),
            of(a(REGISTER)),
            of(a(REGISTER), b(REGISTER)),
            of(a(REGISTER), 60),
            of(a(REGISTER), a(HEARTBEAT), 28),
            of(a(REGISTER), 91),
            of(a(REGISTER), b(REGISTER), a(ACQUIRE), b(ACQUIRE, 1), 91),
            of(a(REGISTER), 91, a(SWEEP)),
            of(a(REGISTER), 91, a(SWEEP), a(ACQUIRE), 30),
            of(a(REGISTER), 301),
            of(a(REGISTER), 91, a(SWEEP), 210),
            of(a(REGISTER), b(REGISTER), 241, b(HEARTBEAT), a(ACQUIRE), 59, a(ACQUIRE, 1), 2, a(SWEEP)),
            of(a(REGISTER), 301, a(SWEEP)),
            of(a(REGISTER), a(DEREGISTER), b(REGISTER)),
            of(a(REGISTER), a(DEREGISTER), a(SWEEP), 3_601),
            of(a(REGISTER), 301, a(SWEEP), 3_601, a(SWEEP)),
            of(a(REGISTER), b(REGISTER), a(ACQUIRE)),
            of(a(REGISTER), b(REGISTER), a(ACQUIRE), a(ACQUIRE, 1)),
            of(a(REGISTER), b(REGISTER), a(ACQUIRE), 60),
            of(a(REGISTER), b(REGISTER), a(ACQUIRE), 62),
            of(a(REGISTER), a(ACQUIRE), a(DRAIN)),
            of(a(REGISTER), b(REGISTER), a(ACQUIRE), a(ACQUIRE, 1), a(DRAIN)),
            of(a(REGISTER), a(HEARTBEAT_BUSY), a(DRAIN)),
            of(a(REGISTER), a(HEARTBEAT), a(DRAIN_BY_OPERATOR), 5),
            of(a(REGISTER), b(REGISTER), a(HEARTBEAT_BUSY), a(DRAIN), 100, a(ACQUIRE), 21),
            of(a(REGISTER), 70, a(ACQUIRE), a(DRAIN), 40),
            of(a(REGISTER), a(HEARTBEAT_BUSY), a(DRAIN), 121),
            of(a(REGISTER), a(HEARTBEAT_BUSY), a(DRAIN), 100, a(HEARTBEAT_BUSY), 21),
            of(a(REGISTER), a(COMMAND)),
            of(a(REGISTER), a(COMMAND), 91, a(SWEEP)),
            of(a(REGISTER), a(BLOCK)),
            of(a(BLOCK), b(REGISTER), new Act(SILENCE, 0, 0)),
            of(a(REGISTER), 31, a(SIGN_BY_PROBE)),
            of(a(REGISTER), b(REGISTER), new Act(ROTATE_KEY, 0, 0)),
            of(a(REGISTER), new Act(ROTATE_KEY, 0, 0), a(SWEEP), 91));

    static Given of(Object... steps) {
        return new Given(List.of(steps));
    }

    static Act a(Act.Kind kind) {
        return new Act(kind, 0, 0);
    }

    private static Act a(Act.Kind kind, int scope) {
        return new Act(kind, 0, scope);
    }

    static Act b(Act.Kind kind) {
        return new Act(kind, 1, 0);
    }

    private static Act b(Act.Kind kind, int scope) {
        return new Act(kind, 1, scope);
    }

    long seconds() {
        return steps.stream()
                .filter(Integer.class::isInstance)
                .mapToLong(step -> (Integer) step)
                .sum();
    }
}
