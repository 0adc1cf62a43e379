package dev.agenthealth.model.operations.configuration;

import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of the whole system that change without a deployment.
 *
 * <p>An instance may hold any numbers; {@link #errors()} names the numbers that break a rule.
 *
 * @param sweepPassesPerMinute the number of passes of the sweep per minute, 1 to 12
 * @param sweepFanOutAgents the number of monitored agents above which a pass is divided into shards; at least 1,000
 * @param massSilence the rule that limits deaths
 * @param invocations the limit of invocations per caller
 * @param defaultWindow the window of new agents that declare none; 5 minutes to 7 days
 * @param maxAgentsPerKey the maximum number of live agents per key; 1 to 10,000,000
 * @param maxWatchedAgentsPerKey the maximum number of probed agents per key; 1 to 10,000,000
 * @param maxInvocationsInFlight the maximum number of concurrent synchronous invocations of all callers; 1 to 1,000, or {@link #BY_CONCURRENCY}
 * @param publicCatalogue whether clients without a key may read and search the catalogue
 * @param cardKeys the public keys, as JSON Web Keys, with which agent cards may be signed on any host
 * @param metricRoles the ids of the roles with their own metrics in CloudWatch
 * @param leases the maximum numbers of live leases
 */
public record RuntimeConfiguration(
        int sweepPassesPerMinute,
        int sweepFanOutAgents,
        MassSilenceRule massSilence,
        CallerLimit invocations,
        MeasurementWindow defaultWindow,
        int maxAgentsPerKey,
        int maxWatchedAgentsPerKey,
        int maxInvocationsInFlight,
        boolean publicCatalogue,
        List<String> cardKeys,
        List<String> metricRoles,
        LeaseLimits leases) {

    public static final int MAX_PASSES_PER_MINUTE = 12;
    public static final int MIN_FAN_OUT_AGENTS = 1_000;
    public static final int MAX_FAN_OUT_AGENTS = 10_000_000;
    public static final int MAX_MINIMUM_AGENTS = 10_000_000;
    public static final int DEFAULT_MAX_AGENTS_PER_KEY = 20_000;
    public static final int MAX_MAX_AGENTS_PER_KEY = 10_000_000;
    public static final int DEFAULT_MAX_WATCHED_AGENTS_PER_KEY = 1_000;

    /** The value with which the maximum number of concurrent invocations follows the account's concurrency. */
    public static final int BY_CONCURRENCY = 0;

    public static final int MAX_MAX_INVOCATIONS_IN_FLIGHT = 1_000;

    /** The maximum number of keys. Each has some hundred bytes of an item that is read often. */
    public static final int MAX_CARD_KEYS = 10;

    /** The maximum number of roles. Each costs some metrics of CloudWatch. */
    public static final int MAX_METRIC_ROLES = 20;

    /** The settings until an administrator changes them: one pass per minute, divided into shards above 200,000 agents. */
    public static final RuntimeConfiguration DEFAULT = new RuntimeConfiguration(
            1,
            200_000,
            MassSilenceRule.DEFAULT,
            CallerLimit.DEFAULT,
            MeasurementWindow.DEFAULT,
            DEFAULT_MAX_AGENTS_PER_KEY,
            DEFAULT_MAX_WATCHED_AGENTS_PER_KEY,
            BY_CONCURRENCY,
            false,
            List.of(),
            List.of(),
            LeaseLimits.DEFAULT);

    public RuntimeConfiguration {
        cardKeys = List.copyOf(cardKeys);
        metricRoles = List.copyOf(metricRoles);
    }

    /** Returns the rules that these numbers break, with the field names of the HTTP interface; empty if the numbers are valid. */
    public List<FieldError> errors() {
        List<FieldError> errors = new ArrayList<>();
        check(errors, "sweep_passes_per_minute", sweepPassesPerMinute, 1, MAX_PASSES_PER_MINUTE);
        check(errors, "sweep_fan_out_agents", sweepFanOutAgents, MIN_FAN_OUT_AGENTS, MAX_FAN_OUT_AGENTS);
        check(errors, "mass_silence.minimum_agents", massSilence.minimumAgents(), 1, MAX_MINIMUM_AGENTS);
        check(errors, "mass_silence.silent_percent", massSilence.silentPercent(), 1, 100);
        check(errors, "mass_silence.death_percent_per_minute", massSilence.deathPercentPerMinute(), 1, 100);
        errors.addAll(invocations.errors());
        check(
                errors,
                "default_window_seconds",
                defaultWindow.seconds(),
                MeasurementWindow.MIN_SECONDS,
                MeasurementWindow.MAX_SECONDS);
        check(errors, "max_agents_per_key", maxAgentsPerKey, 1, MAX_MAX_AGENTS_PER_KEY);
        check(errors, "max_watched_agents_per_key", maxWatchedAgentsPerKey, 1, MAX_MAX_AGENTS_PER_KEY);
        check(
                errors,
                "invocations.max_in_flight",
                maxInvocationsInFlight,
                BY_CONCURRENCY,
                MAX_MAX_INVOCATIONS_IN_FLIGHT);
        errors.addAll(leases.errors());
        if (metricRoles.size() > MAX_METRIC_ROLES || !metricRoles.stream().allMatch(Ids::isValid)) {
            errors.add(new FieldError("metric_roles", "must be at most " + MAX_METRIC_ROLES + " ids of roles"));
        }
        return List.copyOf(errors);
    }

    private static void check(List<FieldError> errors, String field, long value, int minimum, int maximum) {
        if (value < minimum || value > maximum) {
            errors.add(new FieldError(field, "must be from " + minimum + " to " + maximum));
        }
    }
}
