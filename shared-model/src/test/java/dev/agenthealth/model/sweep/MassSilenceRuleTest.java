package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.sweep.FleetCounter.ACTIVE;
import static dev.agenthealth.model.sweep.FleetCounter.ESTABLISHED;
import static dev.agenthealth.model.sweep.FleetCounter.ESTABLISHED_SILENT;
import static dev.agenthealth.model.sweep.FleetCounter.GONE;
import static dev.agenthealth.model.sweep.FleetCounter.SILENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class MassSilenceRuleTest {

    @Test
    void the_defaults_are_50_agents_55_percent_and_10_percent() {
        assertThat(MassSilenceRule.DEFAULT).isEqualTo(new MassSilenceRule(50, 55, 10));
    }

    @ParameterizedTest(name = "{1} of {0} silent: {2}")
    @CsvSource({
        "0, 0, false",
        "1, 1, false",
        // too few to be a mass, even when all of them are silent
        "49, 49, false",
        "50, 50, true",
        // 55 % of 50 is 27.5
        "50, 27, false",
        "50, 28, true",
        // 54.9 %, 55 %
        "100, 54, false",
        "100, 55, true",
        "1000, 549, false",
        "1000, 550, true",
        "1000000, 549999, false",
        "1000000, 550000, true"
    })
    void a_mass_is_silent_from_50_agents_and_55_percent_on(long monitored, long silent, boolean massSilence) {
        assertThat(MassSilenceRule.DEFAULT.isMassSilence(Fleets.silent(monitored, silent)))
                .isEqualTo(massSilence);
    }

    @Test
    void agents_that_never_sent_a_heartbeat_count_neither_as_fleet_nor_as_silence() {
        FleetCount fleet = Fleets.of(
                Map.of(ACTIVE, 1_000L, SILENT, 900L, GONE, 1_000L, ESTABLISHED, 50L, ESTABLISHED_SILENT, 28L));
        assertThat(MassSilenceRule.DEFAULT.isMassSilence(fleet)).isTrue();
        assertThat(MassSilenceRule.DEFAULT.deathsPerMinute(fleet)).isEqualTo(5);
        FleetCount smaller = Fleets.of(Map.of(ACTIVE, 1_000L, SILENT, 900L, ESTABLISHED, 49L, ESTABLISHED_SILENT, 49L));
        assertThat(MassSilenceRule.DEFAULT.isMassSilence(smaller)).isFalse();
        FleetCount heard = Fleets.of(Map.of(ACTIVE, 1_000L, SILENT, 900L, ESTABLISHED, 100L, ESTABLISHED_SILENT, 54L));
        assertThat(MassSilenceRule.DEFAULT.isMassSilence(heard)).isFalse();
    }

    @ParameterizedTest(name = "of {0} agents {1} a minute")
    @CsvSource({"0, 1", "1, 1", "9, 1", "10, 1", "19, 1", "20, 2", "50, 5", "59, 5", "60, 6", "1000000, 100000"})
    void a_tenth_of_the_fleet_may_die_in_a_minute_and_at_least_one(long monitored, long deaths) {
        assertThat(MassSilenceRule.DEFAULT.deathsPerMinute(Fleets.silent(monitored, 0)))
                .isEqualTo(deaths);
    }

    @Test
    void the_numbers_can_be_set() {
        MassSilenceRule rule = new MassSilenceRule(2, 100, 50);
        assertThat(rule.isMassSilence(Fleets.silent(1, 1))).isFalse();
        assertThat(rule.isMassSilence(Fleets.silent(2, 1))).isFalse();
        assertThat(rule.isMassSilence(Fleets.silent(2, 2))).isTrue();
        assertThat(rule.deathsPerMinute(Fleets.silent(9, 9))).isEqualTo(4);
    }
}
