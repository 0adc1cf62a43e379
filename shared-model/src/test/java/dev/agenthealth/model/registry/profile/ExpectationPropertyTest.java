package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

@Tag("AHM-09")
class ExpectationPropertyTest {

    @Property
    void whole_numbers_within_the_bounds_of_a_threshold_are_accepted_and_no_others(@ForAll double value) {
        boolean whole = value >= 1 && value <= 1_000_000 && value % 1 == 0;
        assertThat(Expectation.SLA_BREACH_THRESHOLD.accepts(value)).isEqualTo(whole);
    }
}
