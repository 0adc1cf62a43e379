package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Reputation and blocks of agents and providers (ServiceNet). Thread-safe. */
public final class Trust {

    private static final String AGENTS = "/v1/trust/agents";
    private static final String PROVIDERS = "/v1/trust/providers";
    private static final String BLOCKED_AGENTS = "/v1/admin/agents";
    private static final String BLOCKED_PROVIDERS = "/v1/admin/providers";

    private final Api api;

    Trust(Api api) {
        this.api = api;
    }

    /** Returns the record of an agent. */
    public TrustRecord agent(String agentId) {
        return new TrustRecord(api.send(Call.get(AGENTS).segment(agentId)));
    }

    /** Returns the records of all monitored agents. */
    public Stream<TrustRecord> agents() {
        return Pages.stream(api, () -> Call.get(AGENTS), "items", TrustRecord::new);
    }

    /** Returns the record of a provider. */
    public TrustRecord provider(String providerId) {
        return new TrustRecord(api.send(Call.get(PROVIDERS).segment(providerId)));
    }

    /** Returns the records of all providers. */
    public Stream<TrustRecord> providers() {
        return Pages.stream(api, () -> Call.get(PROVIDERS), "items", TrustRecord::new);
    }

    /** Returns the records of all blocked agents, including agents that are gone or were never registered. */
    public Stream<TrustRecord> blockedAgents() {
        return Pages.stream(api, () -> Call.get(AGENTS).query("blocked", true), "items", TrustRecord::new);
    }

    /** Returns the records of all blocked providers. */
    public Stream<TrustRecord> blockedProviders() {
        return Pages.stream(api, () -> Call.get(PROVIDERS).query("blocked", true), "items", TrustRecord::new);
    }

    /** Blocks calls of an agent through the gateway until it is unblocked. Its leases and heartbeats continue. */
    public TrustRecord blockAgent(String agentId, String reason) {
        return block(Call.post(BLOCKED_AGENTS).segment(agentId), reason, Optional.empty());
    }

    /** Blocks calls of an agent until a future time. */
    public TrustRecord blockAgent(String agentId, String reason, Instant until) {
        return block(Call.post(BLOCKED_AGENTS).segment(agentId), reason, Optional.of(until));
    }

    /** Unblocks calls of an agent; does nothing if it is not blocked. */
    public TrustRecord unblockAgent(String agentId) {
        return new TrustRecord(
                api.send(Call.post(BLOCKED_AGENTS).segment(agentId).path("/unblock")));
    }

    /** Blocks calls of all agents of a provider until it is unblocked. */
    public TrustRecord blockProvider(String providerId, String reason) {
        return block(Call.post(BLOCKED_PROVIDERS).segment(providerId), reason, Optional.empty());
    }

    /** Blocks calls of all agents of a provider until a future time. */
    public TrustRecord blockProvider(String providerId, String reason, Instant until) {
        return block(Call.post(BLOCKED_PROVIDERS).segment(providerId), reason, Optional.of(until));
    }

    /** Unblocks calls of a provider's agents; does nothing if it is not blocked. */
    public TrustRecord unblockProvider(String providerId) {
        return new TrustRecord(
                api.send(Call.post(BLOCKED_PROVIDERS).segment(providerId).path("/unblock")));
    }

    private TrustRecord block(Call call, String reason, Optional<Instant> until) {
        ObjectNode body = Json.object().put("reason", reason);
        until.ifPresent(moment -> body.put("until", moment.toString()));
        return new TrustRecord(api.send(call.path("/block").body(body)));
    }
}
