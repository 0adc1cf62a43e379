package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.model.registry.lifecycle.CleanUp.Cause;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For which reason the leases of an incarnation end that is gone. */
@Tag("R16-26")
class CleanUpTest {

    @Test
    void nothing_is_pending_at_first() {
        assertThat(CleanUp.NONE.through()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> CleanUp.NONE.causeOf(1));
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                Arguments.of(List.of(Cause.DEATH)),
                Arguments.of(List.of(Cause.RESTART, Cause.RESTART, Cause.RESTART)),
                Arguments.of(List.of(Cause.RESTART, Cause.DEREGISTRATION)),
                Arguments.of(List.of(Cause.DEATH, Cause.RESTART, Cause.DEREGISTRATION)),
                Arguments.of(List.of(Cause.DEREGISTRATION, Cause.RESTART, Cause.RESTART, Cause.DEATH)));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void every_incarnation_keeps_the_cause_of_its_end(List<Cause> causes) {
        CleanUp cleanUp = CleanUp.NONE;
        for (int i = 0; i < causes.size(); i++) {
            cleanUp = cleanUp.and(7 + i, causes.get(i));
        }
        assertThat(cleanUp.through()).isEqualTo(6 + causes.size());
        for (int i = 0; i < causes.size(); i++) {
            assertThat(cleanUp.causeOf(7 + i)).as("incarnation %s", 7 + i).isEqualTo(causes.get(i));
        }
        assertThat(cleanUp.causeOf(1)).as("one that ended before").isEqualTo(causes.get(0));
    }

    @Test
    void an_incarnation_ends_once() {
        CleanUp cleanUp = CleanUp.NONE.and(3, Cause.DEATH);
        assertThat(cleanUp.and(3, Cause.DEREGISTRATION)).isEqualTo(cleanUp);
    }
}
