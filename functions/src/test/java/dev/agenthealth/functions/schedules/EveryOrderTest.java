package dev.agenthealth.functions.schedules;

import static dev.agenthealth.functions.schedules.Act.Kind.ACQUIRE;
import static dev.agenthealth.functions.schedules.Act.Kind.DEREGISTER;
import static dev.agenthealth.functions.schedules.Act.Kind.DRAIN;
import static dev.agenthealth.functions.schedules.Act.Kind.DRAIN_BY_OPERATOR;
import static dev.agenthealth.functions.schedules.Act.Kind.HEARTBEAT;
import static dev.agenthealth.functions.schedules.Act.Kind.HEARTBEAT_BUSY;
import static dev.agenthealth.functions.schedules.Act.Kind.HEARTBEAT_DRAINING;
import static dev.agenthealth.functions.schedules.Act.Kind.HEARTBEAT_IDLE;
import static dev.agenthealth.functions.schedules.Act.Kind.REGISTER;
import static dev.agenthealth.functions.schedules.Act.Kind.RELEASE;
import static dev.agenthealth.functions.schedules.Act.Kind.SIGN_BY_PING;
import static dev.agenthealth.functions.schedules.Act.Kind.SIGN_BY_PROBE;
import static dev.agenthealth.functions.schedules.Act.Kind.SWEEP;
import static dev.agenthealth.functions.schedules.Given.a;
import static dev.agenthealth.functions.schedules.Given.of;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Heartbeats and signs of life concurrent with what changes their agent, in every order of their requests to the storage. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-02")
@Tag("R16-03")
@Tag("R16-06")
@Tag("R16-11")
@Tag("R16-12")
@Tag("R16-13")
@Tag("R16-19")
@Tag("R16-20")
@Tag("R16-29")
@Tag("R16-30")
@Tag("SYS-02")
@Tag("slow")
class EveryOrderTest {

    private static final Given REGISTERED = of(a(REGISTER));
    private static final Given SILENT = of(a(REGISTER), 91);
    private static final Given UNHEALTHY = of(a(REGISTER), 91, a(SWEEP));
    private static final Given DYING = of(a(REGISTER), 91, a(SWEEP), 300);
    private static final Given DEAD = of(a(REGISTER), 301, a(SWEEP));
    private static final Given TO_BE_ARCHIVED = of(a(REGISTER), a(DEREGISTER), a(SWEEP), 3_601);
    private static final Given ARCHIVED = of(a(REGISTER), a(DEREGISTER), a(SWEEP), 3_601, a(SWEEP));
    private static final Given DRAINING = of(a(REGISTER), a(HEARTBEAT_BUSY), a(DRAIN));
    private static final Given DRAINING_WITH_LEASE = of(a(REGISTER), a(HEARTBEAT_BUSY), a(ACQUIRE), a(DRAIN));

    @AutoClose
    private final Schedules schedules = new Schedules();

    private static Stream<Arguments> operations() {
        List<Arguments> rows = new ArrayList<>();
        add(rows, "the sweep is about to mark the agent unhealthy", SILENT, a(HEARTBEAT), a(SWEEP));
        add(rows, "the sweep is about to mark the agent unhealthy", SILENT, a(HEARTBEAT_DRAINING), a(SWEEP));
        add(rows, "the sweep is about to mark the agent dead", DYING, a(HEARTBEAT), a(SWEEP));
        add(rows, "the sweep is about to mark the agent dead", DYING, a(SIGN_BY_PING), a(SWEEP));
        add(rows, "two sweeps", of(a(REGISTER), 301), a(HEARTBEAT), a(SWEEP), a(SWEEP));
        add(rows, "a deregistration and a sweep", of(a(REGISTER), 301), a(DEREGISTER), a(SWEEP));
        add(rows, "both recover the agent", UNHEALTHY, a(HEARTBEAT), a(HEARTBEAT));
        add(rows, "a deregistration", UNHEALTHY, a(HEARTBEAT), a(DEREGISTER));
        add(rows, "a deregistration", of(a(REGISTER), 30), a(SIGN_BY_PING), a(DEREGISTER));
        add(rows, "a registration after death", DEAD, a(HEARTBEAT), a(REGISTER));
        add(rows, "a registration after death", DEAD, a(SIGN_BY_PROBE), a(REGISTER));
        add(rows, "archiving and a registration", TO_BE_ARCHIVED, a(HEARTBEAT), a(SWEEP), a(REGISTER));
        add(rows, "archiving", of(a(REGISTER), 301, a(SWEEP), 3_601), a(SIGN_BY_PROBE), a(SWEEP));
        add(rows, "a registration of an archived agent", ARCHIVED, a(HEARTBEAT), a(REGISTER));
        add(rows, "two signs", of(a(REGISTER), 30), a(SIGN_BY_PING), a(SIGN_BY_PROBE));
        add(rows, "a heartbeat and a sign", of(a(REGISTER), 30), a(SIGN_BY_PING), a(HEARTBEAT));
        add(rows, "a drain", of(a(REGISTER), 30), a(SIGN_BY_PING), a(DRAIN));
        add(rows, "a drain", UNHEALTHY, a(HEARTBEAT_BUSY), a(DRAIN));
        add(rows, "both begin a drain", UNHEALTHY, a(HEARTBEAT_DRAINING), a(HEARTBEAT_DRAINING));
        add(rows, "both end a drain", DRAINING, a(HEARTBEAT_IDLE), a(HEARTBEAT_IDLE));
        add(rows, "the release of the last lease", DRAINING_WITH_LEASE, a(HEARTBEAT_IDLE), a(RELEASE));
        add(rows, "the release and a sweep", DRAINING_WITH_LEASE, a(RELEASE), a(SWEEP));
        add(rows, "the release and a deregistration", DRAINING_WITH_LEASE, a(RELEASE), a(DEREGISTER));
        add(rows, "the first since the drain", of(a(REGISTER), a(DRAIN_BY_OPERATOR)), a(HEARTBEAT_IDLE), a(SWEEP));
        Given over = of(a(REGISTER), a(HEARTBEAT_BUSY), a(DRAIN), 121);
        add(rows, "a moved deadline and the sweep that is about to mark the agent dead", over, a(DRAIN), a(SWEEP));
        add(rows, "two registrations", of(), a(REGISTER), a(REGISTER));
        add(rows, "two drains", REGISTERED, a(DRAIN), a(DRAIN));
        return rows.stream();
    }

    private static void add(List<Arguments> rows, String about, Given given, Act... acts) {
        rows.add(Arguments.of(about, given, List.of(acts)));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("operations")
    void operations_on_one_agent_end_as_the_model_does(String about, Given given, List<Act> acts) {
        assertThat(schedules.everyOrder(schedules.add(given), acts, 20_000))
                .as(about)
                .isBetween(2, 19_999);
    }
}
