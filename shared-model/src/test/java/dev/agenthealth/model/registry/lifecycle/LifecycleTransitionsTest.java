package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("R16-02")
class LifecycleTransitionsTest {

    /** RFC-0016 §2.2 line by line, then what §11 and §3.3 add. Written out by hand: nothing is taken from the code. */
    private static final String MATRIX =
            """
            from\\to     registering active draining unhealthy dead deregistered
            registering       -        x        -         -      -        x
            active            -        -        x         x      -        x
            draining          -        -        -         -      x        x
            unhealthy         -        x        x         -      x        x
            dead              -        x        -         -      -        x
            deregistered      -        x        -         -      -        -
            """;

    static Stream<Arguments> matrix() {
        List<Arguments> cells = new ArrayList<>();
        List<String[]> lines = MATRIX.lines().map(line -> line.split(" +")).toList();
        String[] heads = lines.get(0);
        for (String[] line : lines.subList(1, lines.size())) {
            for (int column = 1; column < heads.length; column++) {
                cells.add(Arguments.of(status(line[0]), status(heads[column]), line[column].equals("x")));
            }
        }
        return cells.stream();
    }

    @ParameterizedTest(name = "{0} to {1}: {2}")
    @MethodSource("matrix")
    void allows_what_the_table_says_and_nothing_else(LifecycleStatus from, LifecycleStatus to, boolean allowed) {
        assertThat(LifecycleTransitions.allows(from, to)).isEqualTo(allowed);
    }

    @ParameterizedTest(name = "{0} to {1}: {2}")
    @MethodSource("matrix")
    void a_pulse_takes_only_allowed_statuses_and_comes_back_only_by_registering(
            LifecycleStatus from, LifecycleStatus to, boolean allowed) {
        Pulse pulse = Pulses.in(from);
        boolean comesBack = from.hasEnded() && !to.hasEnded();
        if (allowed && !comesBack) {
            assertThat(pulse.withStatus(to, Drain.NONE, Pulses.T0).status()).isEqualTo(to);
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pulse.withStatus(to, Drain.NONE, Pulses.T0))
                    .withMessageContaining(from.wireName())
                    .withMessageContaining(to.wireName());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R16-06")
    @Tag("R16-07")
    void only_an_agent_that_is_gone_registers_again(LifecycleStatus from) {
        Pulse pulse = Pulses.in(from);
        if (from == LifecycleStatus.DEAD || from == LifecycleStatus.DEREGISTERED) {
            assertThat(reborn(pulse).status()).isEqualTo(LifecycleStatus.ACTIVE);
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> reborn(pulse)).withMessageContaining(from.wireName());
        }
    }

    @Test
    void the_matrix_names_every_pair_once() {
        assertThat(matrix().map(Arguments::get).map(cell -> cell[0] + " to " + cell[1]))
                .hasSize(LifecycleStatus.values().length * LifecycleStatus.values().length)
                .doesNotHaveDuplicates();
    }

    private static Pulse reborn(Pulse pulse) {
        return RegistrationRule.again(pulse, HeartbeatConfig.DEFAULT, 5, Coordination.NONE, Pulses.OWNER, Pulses.T0);
    }

    private static LifecycleStatus status(String word) {
        return Arrays.stream(LifecycleStatus.values())
                .filter(s -> s.name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow();
    }
}
