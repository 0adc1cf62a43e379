package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import java.util.List;
import java.util.stream.IntStream;

/** The bodies of the registration and the profile change of a simulated agent. */
final class Declaration {

    /** The runtime of an execution in milliseconds. */
    static final double RUNTIME_MS = 100;

    /** The baseline latency in milliseconds; the p99 may be three times as high. */
    static final double BASELINE_LATENCY_MS = 100;

    /** The latency in milliseconds above which an execution breaches the SLA. */
    static final double SLA_MS = 1_000;

    private static final int PROVIDERS = 3;
    private static final int PLATFORMS = 2;

    private Declaration() {}

    /** Returns the registration of an agent. */
    static ObjectNode registration(String agentId, int number, Behaviour behaviour, FleetPlan plan) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("agent_id", agentId);
        body.put("role_id", role(behaviour));
        body.put("name", "Simulated " + behaviour.wireName() + " agent");
        body.put("provider_id", provider(number));
        body.put("platform", platform(number));
        body.put("personal", behaviour.isPersonal());
        body.putArray("capabilities").add("simulated").add(behaviour.wireName());
        body.putObject("capacity").put("max_concurrent_tasks", 5);
        heartbeats(body, plan.heartbeat());
        body.putObject("expectations")
                .put("runtime_ms", RUNTIME_MS)
                .put("baseline_latency_ms", BASELINE_LATENCY_MS)
                .put("sla_ms", SLA_MS)
                .put("window_seconds", plan.window().toSeconds());
        body.set("model", model("1"));
        return body;
    }

    /** Puts the interval and the thresholds into a registration or a change, and returns it. */
    static ObjectNode heartbeats(ObjectNode body, HeartbeatConfig config) {
        body.putObject("heartbeat_config")
                .put("interval_seconds", config.intervalSeconds())
                .put("unhealthy_after_seconds", config.unhealthyAfterSeconds())
                .put("dead_after_seconds", config.deadAfterSeconds());
        return body;
    }

    /** Returns the change to another model. */
    static ObjectNode nextModel() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set("model", model("2"));
        return body;
    }

    static String role(Behaviour behaviour) {
        return "simulated-" + behaviour.wireName();
    }

    /** Returns the providers of all agents. */
    static List<String> providers() {
        return IntStream.range(0, PROVIDERS).mapToObj(Declaration::provider).toList();
    }

    static String provider(int number) {
        return "simulated-provider-" + number % PROVIDERS;
    }

    static String platform(int number) {
        return "simulated-platform-" + number % PLATFORMS;
    }

    private static ObjectNode model(String version) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", "simulated-model")
                .put("version", version);
    }
}
