package dev.agenthealth.model.operations.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeConfigurationTest {

    /** The default, but for one field. */
    private static RuntimeConfiguration with(String field, int value) {
        RuntimeConfiguration before = RuntimeConfiguration.DEFAULT;
        MassSilenceRule mass = before.massSilence();
        return new RuntimeConfiguration(
                field.equals("sweep_passes_per_minute") ? value : before.sweepPassesPerMinute(),
                field.equals("sweep_fan_out_agents") ? value : before.sweepFanOutAgents(),
                new MassSilenceRule(
                        field.equals("mass_silence.minimum_agents") ? value : mass.minimumAgents(),
                        field.equals("mass_silence.silent_percent") ? value : mass.silentPercent(),
                        field.equals("mass_silence.death_percent_per_minute") ? value : mass.deathPercentPerMinute()),
                new CallerLimit(
                        field.equals("invocations.per_second") ? value : CallerLimit.DEFAULT.perSecond(),
                        field.equals("invocations.burst") ? value : CallerLimit.DEFAULT.burst()),
                field.equals("default_window_seconds") ? MeasurementWindow.ofSeconds(value) : before.defaultWindow(),
                field.equals("max_agents_per_key") ? value : before.maxAgentsPerKey(),
                field.equals("max_watched_agents_per_key") ? value : before.maxWatchedAgentsPerKey(),
                field.equals("invocations.max_in_flight") ? value : before.maxInvocationsInFlight(),
                false,
                List.of(),
                field.equals("metric_roles") ? Collections.nCopies(value, "billing") : List.of(),
                new LeaseLimits(
                        field.equals("leases.max_per_agent")
                                ? value
                                : before.leases().perAgent(),
                        field.equals("leases.max_per_key")
                                ? value
                                : before.leases().perKey(),
                        field.equals("leases.max_in_all")
                                ? value
                                : before.leases().inAll()));
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
        assertThat(with("metric_roles", 20).errors()).isEmpty();
        assertThat(with("metric_roles", 21).errors())
                .extracting(FieldError::field)
                .containsExactly("metric_roles");
    }
}
