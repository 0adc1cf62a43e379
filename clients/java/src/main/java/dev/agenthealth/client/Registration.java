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
 * The registration of an agent (RFC-0016 §3). Every value is optional: the registry generates the id, and takes other values from the
 * role's workflow or from its defaults. Immutable: each method returns a changed copy.
 */
public final class Registration {

    private final ObjectNode json;

    private Registration(ObjectNode json) {
        this.json = json;
    }

    /** Returns the registration of an id: 1 to 64 letters, digits and {@code . _ : -}. */
    public static Registration of(String agentId) {
        return new Registration(Json.object()).with("agent_id", agentId);
    }

    /** Returns a registration with an id that the registry generates. */
    public static Registration withGeneratedId() {
        return new Registration(Json.object());
    }

    /** Sets the role, which is independent of restarts and instances. */
    public Registration role(String roleId) {
        return with("role_id", roleId);
    }

    /** Sets a name for people. */
    public Registration name(String name) {
        return with("name", name);
    }

    /** Registers a server of the Model Context Protocol. MCP clients call it at its endpoint; the gateway does not call it. */
    public Registration mcpServer() {
        return with("kind", "mcp_server");
    }

    /** Sets the capabilities by which callers find the agent. */
    public Registration capabilities(String... capabilities) {
        return capabilities(List.of(capabilities));
    }

    /** Sets the capabilities by which callers find the agent. */
    public Registration capabilities(Collection<String> capabilities) {
        return with("capabilities", List.copyOf(capabilities));
    }

    /** Sets the maximum number of concurrent tasks; 0 for no tasks at present. */
    public Registration maxConcurrentTasks(int tasks) {
        return with("capacity", Json.object().put("max_concurrent_tasks", tasks));
    }

    /** Sets the URL at which the gateway calls the agent over A2A. */
    public Registration endpoint(URI endpoint) {
        return with("endpoint", endpoint.toString());
    }

    /** Sets the A2A version of the endpoint: {@code 0.3} or {@code 1.0}. */
    public Registration a2aVersion(String version) {
        return with("a2a_version", version);
    }

    /** Sets the binding of A2A at the endpoint: {@code JSONRPC} or {@code HTTP+JSON}. */
    public Registration a2aBinding(String binding) {
        return with("a2a_binding", binding);
    }

    /** Sets the tenant that calls in version 1.0 name, for an endpoint that serves several agents. */
    public Registration a2aTenant(String tenant) {
        return with("a2a_tenant", tenant);
    }

    /**
     * Sets the interval and the thresholds, in whole seconds. By default the agent sends a heartbeat every 30 s, is unhealthy after 90 s
     * and dead after 300 s.
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
     * Sets the time without progress after which the agent is stalled, in whole seconds. It applies to every task and call that does not
     * wait for a person. By default the agent is never stalled.
     */
    public Registration stallAfter(Duration time) {
        ObjectNode config = heartbeatConfig();
        config.put("stall_after_seconds", Json.wholeSeconds(time));
        return with("heartbeat_config", config);
    }

    /**
     * Sets the time without progress after which the agent is stalled, in whole seconds, for each of these phases. In other phases the
     * agent is never stalled.
     *
     * @param times by {@code model}, {@code tool}, {@code human} and {@code other}
     */
    public Registration stallAfter(Map<String, Duration> times) {
        ObjectNode config = heartbeatConfig();
        ObjectNode phases = config.putObject("stall_after_seconds");
        times.forEach((phase, time) -> phases.put(phase, Json.wholeSeconds(time)));
        return with("heartbeat_config", config);
    }

    /** Lets the registry end the agent's leases when it is stalled, so that other agents take its work over. */
    public Registration releaseLeasesWhenStalled() {
        return with("heartbeat_config", heartbeatConfig().put("release_leases_when_stalled", true));
    }

    /** Lets the registry ask the process to restart when it is stalled; see {@link AgentBuilder#onRestart}. */
    public Registration restartWhenStalled() {
        return with("heartbeat_config", heartbeatConfig().put("restart_when_stalled", true));
    }

    /** Sets the number of repetitions of the same calls from which the agent is looping: 2 to 10,000. By default it is never looping. */
    public Registration maxRepeats(int repeats) {
        return with("heartbeat_config", heartbeatConfig().put("max_repeats", repeats));
    }

    /** Lets the registry end the agent's leases when it is looping, so that other agents take its work over. */
    public Registration releaseLeasesWhenLooping() {
        return with("heartbeat_config", heartbeatConfig().put("release_leases_when_looping", true));
    }

    /** Lets the registry ask the process to restart when it is looping; see {@link AgentBuilder#onRestart}. */
    public Registration restartWhenLooping() {
        return with("heartbeat_config", heartbeatConfig().put("restart_when_looping", true));
    }

    /** Sets the schedule of the agent's runs. A missing run is a fault; missing heartbeats between runs are no fault. */
    public Registration schedule(RunSchedule schedule) {
        ObjectNode config = heartbeatConfig();
        config.remove("mode");
        config.set("schedule", schedule.json());
        return with("heartbeat_config", config);
    }

    /**
     * Declares that the agent has no process of its own and is only called. Missing heartbeats are no fault, and the agent is active until
     * it is deregistered.
     */
    public Registration onlyCalled() {
        ObjectNode config = heartbeatConfig();
        config.remove("schedule");
        return with("heartbeat_config", config.put("mode", "none"));
    }

    /**
     * Sets the events that the registry counts as a heartbeat of the agent, at most once per interval: successful {@code calls} through the
     * gateway, reported {@code outcomes}, ended {@code spans}.
     */
    public Registration signsOfLife(String... signs) {
        ObjectNode config = heartbeatConfig();
        ArrayNode declared = config.putArray("signs_of_life");
        for (String sign : signs) {
            declared.add(sign);
        }
        return with("heartbeat_config", config);
    }

    /** Returns the declared interval between heartbeats; zero if it is not declared. */
    Duration heartbeatInterval() {
        return Duration.ofSeconds(heartbeatConfig().path("interval_seconds").asLong());
    }

    private ObjectNode heartbeatConfig() {
        return json.path("heartbeat_config") instanceof ObjectNode config ? config.deepCopy() : Json.object();
    }

    /** Sets the expectations for the measurement of its health. */
    public Registration expectations(Expectations expectations) {
        return with("expectations", expectations.json());
    }

    /** Sets the model that the agent uses. */
    public Registration model(String name, String version) {
        return with("model", Json.object().put("name", name).put("version", version));
    }

    /** Sets the provider, which the key must be granted. */
    public Registration provider(String providerId) {
        return with("provider_id", providerId);
    }

    /** Sets the platform on which the agent runs, such as {@code kubernetes}. */
    public Registration platform(String platform) {
        return with("platform", platform);
    }

    /** Sets the version of the agent's program, such as {@code 2.4.1}. The registry compares the versions of a role. */
    public Registration agentVersion(String version) {
        return with("agent_version", version);
    }

    /** Declares that the agent belongs to one person, so that its public documents show less. */
    public Registration personal() {
        return with("personal", true);
    }

    /** Sets metadata: any values that Jackson can write, at most 16 KB. */
    public Registration metadata(Map<String, ?> metadata) {
        return with("metadata", metadata);
    }

    /**
     * Registers even if the id is in use, and ends the process that used it (410 {@code superseded}). A process sends this only at its
     * start.
     */
    public Registration replace() {
        return with("replace", true);
    }

    /** Sets where the process runs, such as its host or pod. A registration with an empty instance replaces every other process at once. */
    public Registration instance(String instance) {
        return with("instance", instance);
    }

    /** Sets the owner key, which a registration by an administrator needs. */
    public Registration ownerKey(String keyId) {
        return with("owner_key_id", keyId);
    }

    /** Sets any field of the registration, including fields that this version of the client does not know. */
    public Registration with(String field, Object value) {
        ObjectNode copy = json.deepCopy();
        copy.set(field, Json.of(value));
        return new Registration(copy);
    }

    /**
     * Returns a copy with the start time of the process, unless it has one. The time is the same in each registration, so that a
     * registration after a death is no restart.
     */
    Registration startedAt(Instant moment) {
        return json.has("started_at")
                ? this
                : with("started_at", moment.truncatedTo(ChronoUnit.MILLIS).toString());
    }

    /** Returns a copy with this instance, unless it has one. */
    Registration instanceOr(Supplier<String> name) {
        return json.has("instance") ? this : instance(name.get());
    }

    /** Returns a copy without {@link #replace}. */
    Registration withoutReplace() {
        ObjectNode copy = json.deepCopy();
        copy.remove("replace");
        return new Registration(copy);
    }

    /** Returns the id; empty if the registry generates it. */
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
