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
 * <p>An instance may hold any numbers; {@link #errors()} names those that break a rule.
 *
 * @param sweepPassesPerMinute passes of the sweep within a minute, 1 to 12
 * @param sweepFanOutAgents number of monitored agents above which a pass is divided into shards; at least 1,000
 * @param massSilence when marking agents as dead is limited
 * @param invocations how often one caller may invoke agents
 * @param defaultWindow what agents that register from now on are measured over if they declare no window; 5 minutes to 7 days
 * @param maxAgentsPerKey live agents of one key from which on it registers no further one; 1 to 10,000,000
 * @param maxWatchedAgentsPerKey agents of one key that are probed from which on it has no further one watched; 1 to 10,000,000
 * @param maxInvocationsInFlight synchronous invocations that are under way at the same time, of all callers; 1 to 1,000, or {@link #BY_CONCURRENCY}
 * @param publicCatalogue whether clients without a key may read and search the catalogue
 * @param cardKeys the public keys, as JSON Web Keys, whose signatures of agent cards are valid whatever host serves them
 * @param metricRoles ids of the roles that have metrics of their own in CloudWatch
 * @param leases how many leases may be live
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

    /** The limit of invocations that are under way follows the concurrency of the account. */
    public static final int BY_CONCURRENCY = 0;

    public static final int MAX_MAX_INVOCATIONS_IN_FLIGHT = 1_000;

    /** Each has some hundred bytes of an item that is read often. */
    public static final int MAX_CARD_KEYS = 10;

    /** Each costs some metrics of CloudWatch. */
    public static final int MAX_METRIC_ROLES = 20;

    /** The settings until an administrator changes them: one pass a minute, which is divided into shards above 200,000 agents. */
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

    /** Returns every rule that these numbers break, with the field names of the HTTP interface; empty when they are valid. */
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
