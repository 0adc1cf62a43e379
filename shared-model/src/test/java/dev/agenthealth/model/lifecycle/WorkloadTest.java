package dev.agenthealth.model.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {

    @ParameterizedTest(name = "{1} of {0} tasks, {2} wanted: {3}")
    @Tag("R16-22")
    @CsvSource({
        // maximum, load, wanted, room
        "5, 2, 3, true",
        "5, 2, 4, false",
        "5, 0, 5, true",
        "5, 0, 6, false",
        "5, 5, 0, true",
        "5, 5, 1, false",
        // more than it can do: a capacity below nothing
        "5, 6, 0, false",
        "5, 6, -1, true",
        // a load never reported counts as none
        "5, -1, 5, true",
        "5, -1, 6, false",
        // no declared capacity: nothing is known to be free
        "-1, 0, 0, false",
        "-1, 0, 1, false",
        "-1, -1, 0, false",
        // takes no tasks
        "0, 0, 0, true",
        "0, 0, 1, false",
        "0, -1, 1, false",
        "2147483647, 0, 2147483647, true",
        "1, 2147483647, 1, false"
    })
    void has_room_for_what_is_left_of_a_declared_capacity(int maximum, int load, int wanted, boolean room) {
        assertThat(new Workload(load, maximum, 0, 0).hasRoomFor(wanted)).isEqualTo(room);
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
    }
}
