package dev.agenthealth.client;

import java.util.stream.Stream;

/** Reputation and blocks of agents and providers (ServiceNet). Thread-safe. */
public final class Trust {

    private static final String AGENTS = "/v1/trust/agents";
    private static final String PROVIDERS = "/v1/trust/providers";

    private final Api api;

    Trust(Api api) {
        this.api = api;
    }

    /** The record of an agent. */
    public TrustRecord agent(String agentId) {
        return new TrustRecord(api.send(Call.get(AGENTS).segment(agentId)));
    }

    /** The records of all monitored agents. */
    public Stream<TrustRecord> agents() {
        return Pages.stream(api, () -> Call.get(AGENTS), "items", TrustRecord::new);
    }

    /** The record of a provider. */
    public TrustRecord provider(String providerId) {
        return new TrustRecord(api.send(Call.get(PROVIDERS).segment(providerId)));
    }

    /** The records of all providers. */
    public Stream<TrustRecord> providers() {
        return Pages.stream(api, () -> Call.get(PROVIDERS), "items", TrustRecord::new);
    }
}
