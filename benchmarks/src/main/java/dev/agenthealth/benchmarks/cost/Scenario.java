package dev.agenthealth.benchmarks.cost;

import java.util.HashMap;
import java.util.Map;

/**
 * A fleet and how its stack is set up. Settings are {@code interval_seconds} between an agent's heartbeats, {@code heartbeats_per_request} (1
 * to 100), {@code outcomes_on_heartbeats}, {@code sweeps_per_minute} (1 to 12), {@code provisioned_utilisation} of the pulses table's capacity
 * (0 is on demand), {@code function_url}, the share of heartbeat requests that do not come through the API, {@code containers} (1 where these serve heartbeats instead of the function), {@code managed_instances} (1 where the function runs on these), {@code watch_interval_seconds}
 * between an agent's probes (0 is none), and, where they differ from the template, {@code heartbeat_log_share}, {@code access_log}, {@code lambda_lines},
 * {@code tracing} (0 is none, 1 is every function), {@code keyed_tables}, {@code keys} and {@code heartbeat_ms}.
 *
 * @param activity means per agent and day
 */
public record Scenario(long agents, Map<String, Double> activity, Map<String, Double> settings) {

    public Scenario {
        activity = Map.copyOf(activity);
        settings = Map.copyOf(settings);
    }

    /** The setting, or the value of the template where the scenario does not change it. */
    double get(String setting, double otherwise) {
        return settings.getOrDefault(setting, otherwise);
    }

    double get(String setting) {
        return get(setting, 0);
    }

    /** Returns the scenario with further settings. */
    public Scenario with(Map<String, Double> changes) {
        Map<String, Double> changed = new HashMap<>(settings);
        changed.putAll(changes);
        return new Scenario(agents, activity, changed);
    }

    double heartbeatRequestsPerSecond() {
        return agents / get("interval_seconds") / get("heartbeats_per_request");
    }
}
