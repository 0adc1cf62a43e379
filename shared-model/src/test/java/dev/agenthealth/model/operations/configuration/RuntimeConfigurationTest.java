package dev.agenthealth.model.operations.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.WholeNumber;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeConfigurationTest {

    /** The default with another value of one number. */
    private static RuntimeConfiguration with(String field, int value) {
        RuntimeSetting<?> found = RuntimeSettings.all().stream()
                .filter(setting -> setting.path().equals(field))
                .findFirst()
                .orElseThrow();
        return RuntimeConfiguration.DEFAULT.with((WholeNumber) found, value);
    }

    private static RuntimeConfiguration withRoles(int count) {
        return RuntimeConfiguration.DEFAULT.with(RuntimeSettings.METRIC_ROLES, Collections.nCopies(count, "billing"));
    }

    @ParameterizedTest(name = "{0} from {1} to {2}")
    @CsvSource({
        "sweep_passes_per_minute, 1, 12",
        "sweep_fan_out_agents, 1000, 10000000",
        "mass_silence.minimum_agents, 1, 10000000",
        "mass_silence.silent_percent, 1, 100",
        "mass_silence.death_percent_per_minute, 1, 100",
        "invocations.per_second, 1, 1000",
        "invocations.burst, 1, 10000",
        "default_window_seconds, 300, 604800",
        "max_agents_per_key, 1, 10000000",
        "max_watched_agents_per_key, 1, 10000000",
        "leases.max_per_agent, 1, 10000",
        "leases.max_per_key, 1, 1000000",
        "leases.max_in_all, 1, 1000000",
        "invocations.max_in_flight, 0, 1000"
    })
    void each_number_has_bounds(String field, int minimum, int maximum) {
        assertThat(with(field, minimum).errors()).isEmpty();
        assertThat(with(field, maximum).errors()).isEmpty();
        for (int wrong : new int[] {minimum - 1, maximum + 1}) {
            assertThat(with(field, wrong).errors())
                    .extracting(FieldError::field)
                    .containsExactly(field);
        }
    }

    @Test
    void metrics_are_of_20_roles_at_most() {
        assertThat(withRoles(20).errors()).isEmpty();
        assertThat(withRoles(21).errors()).extracting(FieldError::field).containsExactly("metric_roles");
    }

    @Test
    void a_setting_has_names_of_its_own_and_a_valid_default() {
        assertThat(RuntimeSettings.all()).extracting(RuntimeSetting::path).doesNotHaveDuplicates();
        assertThat(RuntimeSettings.all())
                .extracting(setting -> setting.description().attribute())
                .doesNotHaveDuplicates();
        assertThat(RuntimeConfiguration.DEFAULT.errors()).isEmpty();
        assertThat(RuntimeSettings.all())
                .allSatisfy(
                        setting -> assertThat(setting.description().meaning()).endsWith("."));
    }

    @Test
    void configurations_with_the_same_values_are_equal() {
        RuntimeConfiguration changed = with("max_agents_per_key", 7);
        assertThat(changed).isNotEqualTo(RuntimeConfiguration.DEFAULT);
        assertThat(changed.with(RuntimeSettings.MAX_AGENTS_PER_KEY, 20_000)).isEqualTo(RuntimeConfiguration.DEFAULT);
    }

    /** Both versions of a deployment read the item: each default and each attribute stays. */
    @Test
    void the_defaults_are_the_documented_numbers() {
        assertThat(RuntimeConfiguration.DEFAULT.massSilence()).isEqualTo(MassSilenceRule.DEFAULT);
        assertThat(RuntimeConfiguration.DEFAULT.invocations()).isEqualTo(CallerLimit.DEFAULT);
        assertThat(RuntimeConfiguration.DEFAULT.defaultWindow()).isEqualTo(MeasurementWindow.DEFAULT);
        assertThat(RuntimeConfiguration.DEFAULT.leases()).isEqualTo(LeaseLimits.DEFAULT);
    }
}
