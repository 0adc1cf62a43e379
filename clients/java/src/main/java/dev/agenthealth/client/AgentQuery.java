package dev.agenthealth.client;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds agents (RFC-0016 §6). Without a status and a verdict it finds active agents. Immutable: each method returns a changed copy. */
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

    /** Agents with any of these capabilities. */
    public AgentQuery capabilities(String... capabilities) {
        return with("capabilities", String.join(",", capabilities));
    }

    /** Agents with all of these capabilities. */
    public AgentQuery allCapabilities(String... capabilities) {
        return capabilities(capabilities).with("capabilities_match", "all");
    }

    /** Registrations of any of these kinds: {@code agent}, {@code mcp_server}. */
    public AgentQuery kind(String... kinds) {
        return with("kind", String.join(",", kinds));
    }

    /** Agents of a role. */
    public AgentQuery role(String roleId) {
        return with("role_id", roleId);
    }

    /** Agents with any of these lifecycle statuses, such as {@code active}. */
    public AgentQuery status(String... statuses) {
        return with("status", String.join(",", statuses));
    }

    /** Agents with any of these health statuses, such as {@code healthy}. */
    public AgentQuery healthStatus(String... statuses) {
        return with("health_status", String.join(",", statuses));
    }

    /** Agents with any of these verdicts, such as {@code ok}. */
    public AgentQuery verdict(String... verdicts) {
        return with("verdict", String.join(",", verdicts));
    }

    /** Agents that are blocked, or agents that are not. */
    public AgentQuery blocked(boolean blocked) {
        return with("blocked", String.valueOf(blocked));
    }

    /** Agents that send heartbeats and make no progress, or agents that are not stalled. */
    public AgentQuery stalled(boolean stalled) {
        return with("stalled", String.valueOf(stalled));
    }

    /** Agents whose maximum number of tasks less their load is at least this. */
    public AgentQuery minAvailableCapacity(int tasks) {
        return with("min_available_capacity", String.valueOf(tasks));
    }

    /** The agents with the most free capacity first; needs a role or a capability. */
    public AgentQuery byAvailableCapacity() {
        return with("sort", "available_capacity");
    }

    /** The number of agents that one request fetches: 100 by default, at most 1,000. A sorted query has one page only. */
    public AgentQuery pageSize(int agents) {
        return with("limit", String.valueOf(agents));
    }

    /** The agents; further pages are requested while the stream is read. */
    public Stream<AgentSummary> stream() {
        return Pages.stream(api, this::call, "agents", AgentSummary::new);
    }

    /** All agents. */
    public List<AgentSummary> list() {
        return stream().toList();
    }

    /** The first agent; with {@link #byAvailableCapacity} the one with the most free capacity. */
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
