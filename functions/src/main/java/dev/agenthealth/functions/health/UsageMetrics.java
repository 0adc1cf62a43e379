package dev.agenthealth.functions.health;

import dev.agenthealth.functions.storage.usage.UsageStore;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The metrics of the tokens and calls of the present day (UTC), by provider and by role. The numbers are totals that exist: two queries read them, whatever
 * the number of agents.
 */
final class UsageMetrics {

    /** The maximum number of providers with their own series: the providers with the most tokens. */
    static final int MAX_PROVIDERS = 10;

    private static final String UNKNOWN = "_unknown";

    /** The names that need no escaping in a label. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,63}");

    private final UsageStore usage;

    UsageMetrics(UsageStore usage) {
        this.usage = usage;
    }

    /**
     * Adds the metrics. Nothing is added before the first usage of the day.
     *
     * @param roles the roles with their own series
     */
    void add(Set<String> roles, Instant now, MetricsText text) {
        UsageStore.Today today = usage.today(now);
        if (today.fleet().isNone()) {
            return;
        }
        MetricsText.Family providers = text.gauge(
                "provider_usage_today", "Tokens and calls of model providers since the beginning of the day (UTC).");
        byProvider(today.fleet()).forEach((provider, numbers) -> {
            for (UsageCounter counter : UsageCounter.values()) {
                providers.sample(
                        Math.max(0, numbers.get(counter)), "provider", provider, "counter", counter.wireName());
            }
        });
        MetricsText.Family ofRoles =
                text.gauge("role_usage_today", "Tokens of roles since the beginning of the day (UTC).");
        SortedMap<String, Usage> shown = new TreeMap<>(today.roles());
        shown.keySet().retainAll(roles);
        shown.forEach((role, used) -> {
            for (UsageCounter counter : List.of(UsageCounter.INPUT_TOKENS, UsageCounter.OUTPUT_TOKENS)) {
                ofRoles.sample(Math.max(0, used.total().get(counter)), "role", role, "counter", counter.wireName());
            }
        });
    }

    /** Returns the numbers of the largest providers, and of all others together. */
    private static Map<String, Counts<UsageCounter>> byProvider(Usage fleet) {
        Map<String, Counts<UsageCounter>> all = new TreeMap<>();
        fleet.byModel().forEach((model, numbers) -> all.merge(label(model), numbers, Counts::plus));
        Map<String, Counts<UsageCounter>> shown = new TreeMap<>();
        all.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Counts<UsageCounter>> provider) ->
                                -provider.getValue().get(UsageCounter.INPUT_TOKENS)
                                        - provider.getValue().get(UsageCounter.OUTPUT_TOKENS))
                        .thenComparing(Map.Entry::getKey))
                .forEach(provider -> shown.merge(
                        shown.size() < MAX_PROVIDERS ? provider.getKey() : FleetMetrics.OTHER_ROLES,
                        provider.getValue(),
                        Counts::plus));
        return shown;
    }

    private static String label(ModelName model) {
        if (model.provider().isEmpty()) {
            return UNKNOWN;
        }
        return PLAIN.matcher(model.provider()).matches() ? model.provider() : FleetMetrics.OTHER_ROLES;
    }
}
