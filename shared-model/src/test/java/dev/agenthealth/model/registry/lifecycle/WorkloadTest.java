package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {

    @ParameterizedTest(name = "{0} - {1}: {2}")
    @Tag("R16-22")
    @Tag("R16-24")
    @CsvSource({
        "5, 0, 5",
        "5, 4, 1",
        "5, 5, 0",
        // Overloaded.
        "5, 6, -1",
        "0, 1000000, -1000000",
        // A load that was never reported counts as none.
        "5, -1, 5",
        "0, -1, 0",
        // No declared maximum.
        "-1, 0,",
        "-1, 3,",
        "2147483647, 0, 2147483647",
        "1, 2147483647, -2147483646"
    })
    void available_capacity_is_the_maximum_minus_the_load(int maximum, int load, Integer available) {
        assertThat(new Workload(load, maximum, 0, 0).available())
                .isEqualTo(available == null ? OptionalInt.empty() : OptionalInt.of(available));
    }

    @Test
    @Tag("R16-22")
    void the_overloaded_come_after_the_full_and_those_without_a_maximum_last() {
        Workload free = new Workload(1, 5, 0, 0);
        Workload full = new Workload(5, 5, 0, 0);
        Workload overloaded = new Workload(9, 5, 0, 0);
        Workload undeclared = new Workload(0, Workload.NOT_DECLARED, 0, 0);
        assertThat(Stream.of(undeclared, overloaded, full, free).sorted(Workload.MOST_AVAILABLE_FIRST))
                .containsExactly(free, full, overloaded, undeclared);
    }

    @ParameterizedTest(name = "load {0}, tasks {1}: idle {2}")
    @Tag("R16-19")
    @CsvSource({"-1, 0, true", "0, 0, true", "1, 0, false", "7, 0, false", "-1, 1, false", "0, 1, false", "2, 3, false"
    })
    void is_idle_without_a_load_and_without_tasks(int load, int tasks, boolean idle) {
        assertThat(new Workload(load, 5, 0, tasks).isIdle()).isEqualTo(idle);
    }

    @Test
    @Tag("R16-04")
    void starts_with_no_load_and_no_tasks() {
        assertThat(Workload.starting(5)).isEqualTo(new Workload(0, 5, 0, 0));
    }

    @Test
    void one_number_changes_without_the_others() {
        Workload workload = new Workload(2, 5, 42, 3);
        assertThat(workload.with(Pulses.heartbeat(false, 4, Pulses.T0))).isEqualTo(new Workload(4, 5, 42, 3));
        assertThat(workload.with(Pulses.heartbeat(Workload.NOT_REPORTED, 0))).isEqualTo(new Workload(2, 5, 42, 0));
        assertThat(workload.with(Pulses.heartbeat(0, 1))).isEqualTo(new Workload(0, 5, 42, 1));
        assertThat(workload.withMaxConcurrentTasks(9)).isEqualTo(new Workload(2, 9, 42, 3));
        Workload full = new Workload(2, 5, 42, 3, 90);
        assertThat(full.with(Pulses.heartbeat(4, 0)).contextPercent()).isEqualTo(90);
        assertThat(full.withMaxConcurrentTasks(9)).isEqualTo(new Workload(2, 9, 42, 3, 90));
    }
}
