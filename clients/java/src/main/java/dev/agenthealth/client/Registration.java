package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The registration of an agent (RFC-0016 §3). Everything may be left out: the registry then generates the id, and takes the rest from the
 * workflow of the role or from its defaults. Immutable: each method returns a changed copy.
 */
public final class Registration {

    private final ObjectNode json;

    private Registration(ObjectNode json) {
        this.json = json;
    }

    /** The registration of an id: 1 to 64 letters, digits and {@code . _ : -}. */
    public static Registration of(String agentId) {
        return new Registration(Json.object()).with("agent_id", agentId);
    }

    /** A registration whose id the registry generates. */
    public static Registration withGeneratedId() {
        return new Registration(Json.object());
    }

    /** The role, which survives restarts and instances. */
    public Registration role(String roleId) {
        return with("role_id", roleId);
    }

    /** A name for people. */
    public Registration name(String name) {
        return with("name", name);
    }

    /** A server of the Model Context Protocol: clients of MCP call it at its endpoint, and the gateway does not. */
    public Registration mcpServer() {
        return with("kind", "mcp_server");
    }

    /** The capabilities by which callers find the agent. */
    public Registration capabilities(String... capabilities) {
        return capabilities(List.of(capabilities));
    }

    /** The capabilities by which callers find the agent. */
    public Registration capabilities(Collection<String> capabilities) {
        return with("capabilities", List.copyOf(capabilities));
    }

    /** The maximum number of tasks at once; 0 for none now. */
    public Registration maxConcurrentTasks(int tasks) {
        return with("capacity", Json.object().put("max_concurrent_tasks", tasks));
    }

    /** The URL at which the gateway calls the agent over A2A. */
    public Registration endpoint(URI endpoint) {
        return with("endpoint", endpoint.toString());
    }

    /** The A2A version of the endpoint: {@code 0.3} or {@code 1.0}. */
    public Registration a2aVersion(String version) {
        return with("a2a_version", version);
    }

    /** The binding of A2A at the endpoint: {@code JSONRPC} or {@code HTTP+JSON}. */
    public Registration a2aBinding(String binding) {
        return with("a2a_binding", binding);
    }

    /**
     * The thresholds, in whole seconds. By default the agent sends a heartbeat every 30 s, is unhealthy after 90 s and dead after 300 s.
     *
     * @param unhealthyAfter at least twice the interval
     * @param deadAfter at least twice {@code unhealthyAfter}
     */
    public Registration heartbeat(Duration interval, Duration unhealthyAfter, Duration deadAfter) {
        ObjectNode config = heartbeatConfig();
        config.put("interval_seconds", Json.wholeSeconds(interval));
        config.put("unhealthy_after_seconds", Json.wholeSeconds(unhealthyAfter));
        config.put("dead_after_seconds", Json.wholeSeconds(deadAfter));
        return with("heartbeat_config", config);
    }

    /**
     * The time without progress after which the agent is stalled, in whole seconds: for every task and call that does not wait for a person. By
     * default nothing is judged.
     */
    public Registration stallAfter(Duration time) {
        ObjectNode config = heartbeatConfig();
        config.put("stall_after_seconds", Json.wholeSeconds(time));
        return with("heartbeat_config", config);
    }

    /**
     * The time without progress after which the agent is stalled, in whole seconds, for each of these phases; others are not judged.
     *
     * @param times by {@code model}, {@code tool}, {@code human} and {@code other}
     */
    public Registration stallAfter(Map<String, Duration> times) {
        ObjectNode config = heartbeatConfig();
        ObjectNode phases = config.putObject("stall_after_seconds");
        times.forEach((phase, time) -> phases.put(phase, Json.wholeSeconds(time)));
        return with("heartbeat_config", config);
    }

    /** The leases of the agent end when it is stalled, so that others take its work over. */
    public Registration releaseLeasesWhenStalled() {
        return with("heartbeat_config", heartbeatConfig().put("release_leases_when_stalled", true));
    }

    /** Lets the registry ask the process to restart when it is stalled; see {@link AgentBuilder#onRestart}. */
    public Registration restartWhenStalled() {
        return with("heartbeat_config", heartbeatConfig().put("restart_when_stalled", true));
    }

    /** The agent runs by this schedule: a run that does not come is a fault, and silence in between is none. */
    public Registration schedule(RunSchedule schedule) {
        ObjectNode config = heartbeatConfig();
        config.remove("mode");
        config.set("schedule", schedule.json());
        return with("heartbeat_config", config);
    }

    /** The agent has no process of its own and is only called: its silence is no fault, and it is active until it is deregistered. */
    public Registration onlyCalled() {
        ObjectNode config = heartbeatConfig();
        config.remove("schedule");
        return with("heartbeat_config", config.put("mode", "none"));
    }

    /**
     * Sets what the registry takes as a heartbeat of the agent, at most once an interval: {@code calls} through the gateway that succeed, reported
     * {@code outcomes}, {@code spans} that end.
     */
    public Registration signsOfLife(String... signs) {
        ObjectNode config = heartbeatConfig();
        ArrayNode declared = config.putArray("signs_of_life");
        for (String sign : signs) {
            declared.add(sign);
        }
        return with("heartbeat_config", config);
    }

    private ObjectNode heartbeatConfig() {
        return json.path("heartbeat_config") instanceof ObjectNode config ? config.deepCopy() : Json.object();
    }

    /** The expectations that its health is measured against. */
    public Registration expectations(Expectations expectations) {
        return with("expectations", expectations.json());
    }

    /** The model that the agent uses. */
    public Registration model(String name, String version) {
        return with("model", Json.object().put("name", name).put("version", version));
    }

    /** The provider, which the key must be granted. */
    public Registration provider(String providerId) {
        return with("provider_id", providerId);
    }

    /** The platform on which the agent runs, such as {@code kubernetes}. */
    public Registration platform(String platform) {
        return with("platform", platform);
    }

    /** The agent belongs to one person: its public documents show less. */
    public Registration personal() {
        return with("personal", true);
    }

    /** Any values that Jackson can write; at most 16 KB. */
    public Registration metadata(Map<String, ?> metadata) {
        return with("metadata", metadata);
    }

    /**
     * Registers also where the id is in use, and ends the process that used it (410 {@code superseded}). What a process sends when it
     * starts, and at no other time.
     */
    public Registration replace() {
        return with("replace", true);
    }

    /** Where the process runs, such as its host or pod; empty for one that replaces every other at once. */
    public Registration instance(String instance) {
        return with("instance", instance);
    }

    /** The owner key; needed where an administrator registers. */
    public Registration ownerKey(String keyId) {
        return with("owner_key_id", keyId);
    }

    /** Any field of the registration, also one that this version of the client does not know. */
    public Registration with(String field, Object value) {
        ObjectNode copy = json.deepCopy();
        copy.set(field, Json.of(value));
        return new Registration(copy);
    }

    /** A copy with the start of the process, unless it has one: the same in each registration, so that one after a death is no restart. */
    Registration startedAt(Instant moment) {
        return json.has("started_at")
                ? this
                : with("started_at", moment.truncatedTo(ChronoUnit.MILLIS).toString());
    }

    /** A copy with this instance, unless it has one. */
    Registration instanceOr(Supplier<String> name) {
        return json.has("instance") ? this : instance(name.get());
    }

    /** A copy without {@link #replace}. */
    Registration withoutReplace() {
        ObjectNode copy = json.deepCopy();
        copy.remove("replace");
        return new Registration(copy);
    }

    /** The id; empty where the registry generates it. */
    public String agentId() {
        return Json.text(json, "agent_id");
    }

    ObjectNode json() {
        return json.deepCopy();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Registration registration && json.equals(registration.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json.toString();
    }
}
