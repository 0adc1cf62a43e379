package dev.agenthealth.client;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A query for agents (RFC-0016 §6). Without a status and a verdict it finds active agents. Immutable: each method returns a changed copy.
 */
public final class AgentQuery implements Iterable<AgentSummary> {

    private final Api api;
    private final Map<String, String> parameters;

    AgentQuery(Api api) {
        this(api, Map.of());
    }

    private AgentQuery(Api api, Map<String, String> parameters) {
        this.api = api;
        this.parameters = parameters;
    }

    /** Selects agents with any of these capabilities. */
    public AgentQuery capabilities(String... capabilities) {
        return with("capabilities", String.join(",", capabilities));
    }

    /** Selects agents with all of these capabilities. */
    public AgentQuery allCapabilities(String... capabilities) {
        return capabilities(capabilities).with("capabilities_match", "all");
    }

    /** Selects registrations of any of these kinds: {@code agent}, {@code mcp_server}. */
    public AgentQuery kind(String... kinds) {
        return with("kind", String.join(",", kinds));
    }

    /** Selects agents of a role. */
    public AgentQuery role(String roleId) {
        return with("role_id", roleId);
    }

    /** Selects agents with any of these lifecycle statuses, such as {@code active}. */
    public AgentQuery status(String... statuses) {
        return with("status", String.join(",", statuses));
    }

    /** Selects agents with any of these health statuses, such as {@code healthy}. */
    public AgentQuery healthStatus(String... statuses) {
        return with("health_status", String.join(",", statuses));
    }

    /** Selects agents with any of these verdicts, such as {@code ok}. */
    public AgentQuery verdict(String... verdicts) {
        return with("verdict", String.join(",", verdicts));
    }

    /** Selects agents that are blocked, or agents that are not blocked. */
    public AgentQuery blocked(boolean blocked) {
        return with("blocked", String.valueOf(blocked));
    }

    /** Selects agents that send heartbeats and make no progress, or agents that are not stalled. */
    public AgentQuery stalled(boolean stalled) {
        return with("stalled", String.valueOf(stalled));
    }

    /** Selects agents that wait for a person, or agents that do not. */
    public AgentQuery waiting(boolean waiting) {
        return with("waiting", String.valueOf(waiting));
    }

    /** Selects agents that repeat the same calls, or agents that are not looping. */
    public AgentQuery looping(boolean looping) {
        return with("looping", String.valueOf(looping));
    }

    /** Selects agents with at least this free capacity: the maximum number of tasks minus the load. */
    public AgentQuery minAvailableCapacity(int tasks) {
        return with("min_available_capacity", String.valueOf(tasks));
    }

    /** Sorts by free capacity, largest first; needs a role or a capability. */
    public AgentQuery byAvailableCapacity() {
        return with("sort", "available_capacity");
    }

    /** Sets the number of agents per request: 100 by default, at most 1,000. A sorted query has a single page. */
    public AgentQuery pageSize(int agents) {
        return with("limit", String.valueOf(agents));
    }

    /** Returns the agents as a lazy stream; further pages are requested on reading. */
    public Stream<AgentSummary> stream() {
        return Pages.stream(api, this::call, "agents", AgentSummary::new);
    }

    /** Returns all agents. */
    public List<AgentSummary> list() {
        return stream().toList();
    }

    /** Returns the first agent. With {@link #byAvailableCapacity} it is the agent with the most free capacity. */
    public Optional<AgentSummary> first() {
        return (parameters.containsKey("sort") ? pageSize(1) : this).stream().findFirst();
    }

    @Override
    public Iterator<AgentSummary> iterator() {
        return stream().iterator();
    }

    private Call call() {
        Call call = Call.get("/api/v1/agents");
        parameters.forEach(call::query);
        return call;
    }

    private AgentQuery with(String name, String value) {
        Map<String, String> copy = new LinkedHashMap<>(parameters);
        copy.put(name, value);
        return new AgentQuery(api, copy);
    }
}
