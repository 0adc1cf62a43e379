package dev.agenthealth.model.operations.configuration;

import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Settings of the whole system that change without a deployment. {@link RuntimeSettings} declares the settings; a configuration has a value
 * for each.
 *
 * <p>An instance may hold any values of the right types; {@link #errors()} names the values that break a rule. Immutable.
 */
public final class RuntimeConfiguration {

    /** The settings until an administrator changes them. */
    public static final RuntimeConfiguration DEFAULT = new RuntimeConfiguration(Map.of());

    /** The changed values by the path of their settings. */
    private final Map<String, Object> values;

    private RuntimeConfiguration(Map<String, Object> values) {
        this.values = values;
    }

    /** Returns the value of a setting. */
    @SuppressWarnings("unchecked") // with() puts only values of the setting's type.
    public <T> T get(RuntimeSetting<T> setting) {
        return (T) values.getOrDefault(setting.path(), setting.standard());
    }

    /** Returns a configuration with another value of a setting. */
    public <T> RuntimeConfiguration with(RuntimeSetting<T> setting, T value) {
        Map<String, Object> changed = new HashMap<>(values);
        if (value.equals(setting.standard())) {
            changed.remove(setting.path());
        } else {
            changed.put(setting.path(), value instanceof List<?> list ? List.copyOf(list) : value);
        }
        return new RuntimeConfiguration(changed);
    }

    /** Returns the rule that limits deaths. */
    public MassSilenceRule massSilence() {
        return new MassSilenceRule(
                get(RuntimeSettings.MASS_SILENCE_MINIMUM_AGENTS),
                get(RuntimeSettings.MASS_SILENCE_SILENT_PERCENT),
                get(RuntimeSettings.MASS_SILENCE_DEATH_PERCENT_PER_MINUTE));
    }

    /** Returns a configuration with another rule that limits deaths. */
    public RuntimeConfiguration with(MassSilenceRule rule) {
        return with(RuntimeSettings.MASS_SILENCE_MINIMUM_AGENTS, rule.minimumAgents())
                .with(RuntimeSettings.MASS_SILENCE_SILENT_PERCENT, rule.silentPercent())
                .with(RuntimeSettings.MASS_SILENCE_DEATH_PERCENT_PER_MINUTE, rule.deathPercentPerMinute());
    }

    /** Returns the limit of invocations per caller. */
    public CallerLimit invocations() {
        return new CallerLimit(get(RuntimeSettings.INVOCATIONS_PER_SECOND), get(RuntimeSettings.INVOCATIONS_BURST));
    }

    /** Returns the window of new agents that declare none. */
    public MeasurementWindow defaultWindow() {
        return MeasurementWindow.ofSeconds(get(RuntimeSettings.DEFAULT_WINDOW_SECONDS));
    }

    /** Returns the maximum numbers of live leases. */
    public LeaseLimits leases() {
        return new LeaseLimits(
                get(RuntimeSettings.LEASES_MAX_PER_AGENT),
                get(RuntimeSettings.LEASES_MAX_PER_KEY),
                get(RuntimeSettings.LEASES_MAX_IN_ALL));
    }

    /** Returns the rules that the values break, with the field names of the HTTP interface; empty if the values are valid. */
    public List<FieldError> errors() {
        return RuntimeSettings.all().stream().flatMap(this::error).toList();
    }

    private <T> Stream<FieldError> error(RuntimeSetting<T> setting) {
        Optional<String> fault = setting.fault(get(setting));
        return fault.map(rule -> new FieldError(setting.path(), rule)).stream();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RuntimeConfiguration configuration && values.equals(configuration.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "RuntimeConfiguration" + values;
    }
}
