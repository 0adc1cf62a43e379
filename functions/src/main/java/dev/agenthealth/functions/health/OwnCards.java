package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.agenthealth.functions.runtime.json.ForeignJson;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.HttpAnswer;
import dev.agenthealth.functions.runtime.outbound.HttpQuestion;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.gateway.CardAddress;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.WatchKind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the agents' own cards without a credential, and caches them in memory. Thread-safe.
 *
 * <p>A card stays in the cache for {@link #CACHE_TIME}. A missing card stays for a minute, and so do the addresses in a card.
 */
public final class OwnCards {

    static final Duration CACHE_TIME = Duration.ofMinutes(5);

    private static final Duration SHORT_TIME = Duration.ofMinutes(1);

    /** The time limit for reading one card. */
    public static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final int MAX_CACHED = 1_000;

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final boolean streams;
    private final Clock clock;
    private final Map<String, Cached> cache = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Cached> leastUsed) {
            return size() > MAX_CACHED;
        }
    });

    private record Read(OwnCard card, List<CardInterface> interfaces) {

        private static final Read NOTHING = new Read(OwnCard.NONE, List.of());
    }

    /**
     * A cached card, or its absence.
     *
     * @param at when the card was read, or was found missing
     * @param triedAt when the last request for the card started
     */
    private record Cached(Read read, String endpoint, Instant at, Instant triedAt) {

        private boolean isValid(Instant now) {
            return !ClockRule.hasPassed(at, read == Read.NOTHING ? SHORT_TIME : CACHE_TIME, now);
        }
    }

    /** @param streams whether the process supports streaming answers */
    public OwnCards(AddressCheck addresses, PinnedHttpClient http, boolean streams, Clock clock) {
        this.addresses = addresses;
        this.http = http;
        this.streams = streams;
        this.clock = clock;
    }

    /** Creates a reader of the cards of agents that this installation may call. */
    public static OwnCards of(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        return new OwnCards(
                AddressCheck.of(wiring, resolver), new PinnedHttpClient(tls), wiring.streams(), wiring.clock());
    }

    /** Returns the card of an agent; {@link OwnCard#NONE} if the agent has no card. Waits for at most 2 s. */
    public OwnCard of(AgentProfile agent) {
        return cached(agent, CACHE_TIME).card();
    }

    /**
     * Returns the addresses in the card of an agent that names its endpoint; empty without a card and for a personal agent. Waits for at
     * most 2 s.
     */
    public List<CardInterface> ofEndpoint(AgentProfile agent) {
        if (agent.description().personal()) {
            return List.of();
        }
        String endpoint = agent.agentInterface().endpoint();
        return cached(agent, SHORT_TIME).interfaces().stream()
                .filter(each -> CardAddress.names(each.url(), endpoint))
                .toList();
    }

    private Read cached(AgentProfile agent, Duration maxAge) {
        Instant now = clock.instant();
        String endpoint = agent.agentInterface().endpoint();
        Cached known = cache.get(agent.agentId());
        if (known == null || !known.endpoint().equals(endpoint) || !known.isValid(now)) {
            known = new Cached(Read.NOTHING, endpoint, now, Instant.MIN);
        }
        if (!ClockRule.hasPassed(known.triedAt(), maxAge, now)) {
            return known.read();
        }
        // If the agent fails for a moment, its previous card stays valid.
        Cached stale = known;
        Cached tried = read(agent)
                .map(read -> new Cached(read, endpoint, now, now))
                .orElseGet(() -> new Cached(stale.read(), endpoint, stale.at(), now));
        cache.put(agent.agentId(), tried);
        return tried.read();
    }

    private Optional<Read> read(AgentProfile agent) {
        Optional<Endpoint> address = address(agent).flatMap(Endpoint::of);
        if (address.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> headers = Map.of("Accept", "application/json");
        try {
            HttpAnswer answer =
                    http.ask(addresses.destination(address.get(), TIMEOUT), HttpQuestion.get(headers), TIMEOUT);
            JsonNode card = answer.status() == 200 ? ForeignJson.read(answer.text()) : NullNode.getInstance();
            return OwnCard.isOf(agent, card)
                    ? Optional.of(new Read(
                            streams ? OwnCard.of(card) : OwnCard.of(card).withoutStreaming(), CardInterface.of(card)))
                    : Optional.empty();
        } catch (CallFailedException | UnreadableJsonException e) {
            return Optional.empty();
        }
    }

    /** Returns the address of the card: the watched address, or the well-known path of the endpoint's host. */
    private static Optional<String> address(AgentProfile agent) {
        String endpoint = agent.agentInterface().endpoint();
        return agent.watch().isWatched() && agent.watch().by() == WatchKind.A2A
                ? agent.watch().address(endpoint)
                : WatchKind.A2A.impliedUrl(endpoint);
    }
}
