package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R16-24")
class GroupNumberTest {

    @Test
    void no_role_has_the_number_0_and_every_role_another_of_48_bits() {
        assertThat(GroupNumber.of("")).isZero();
        Set<Long> numbers = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            long number = GroupNumber.of("role-" + i);
            assertThat(number).isBetween(1L, (1L << 48) - 1);
            numbers.add(number);
        }
        assertThat(numbers).hasSize(10_000);
    }

    /** Numbers are stored: another implementation must find the same ones. */
    @Test
    void a_role_s_number_is_the_same_everywhere_and_always() {
        assertThat(GroupNumber.of("billing-processor")).isEqualTo(173_389_921_995_356L);
    }
}
