package dev.agenthealth.functions.registry.ping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.registry.lifesigns.SignResult;
import dev.agenthealth.functions.registry.lifesigns.SignsOfLife;
import dev.agenthealth.functions.registry.outcomes.OutcomeReports;
import dev.agenthealth.functions.registry.ping.PingAddress.LastPing;
import dev.agenthealth.functions.registry.ping.PingAddress.Token;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.BodyStart;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.FindingStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.KeyLimits;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Receives pings. Each ping is a sign of life. The end of a run is also an outcome, with the time since its start if that is known.
 * Thread-safe.
 */
final class Pings {

    /** The maximum duration of a run. A later end does not belong to that start. */
    private static final Duration MAX_RUN = Duration.ofDays(1);

    private final Database database;
    private final PingStore addresses;
    private final AgentStore agents;
    private final PingIssuers issuers;
    private final LastRun lastRun;
    private final Clock clock;

    Pings(Database database, PingIssuers issuers, Clock clock) {
        this.database = database;
        this.addresses = new PingStore(database);
        this.agents = new AgentStore(database);
        this.issuers = issuers;
        this.lastRun = new LastRun(agents, new FindingStore(database), addresses, new UpstreamStore(database));
        this.clock = clock;
    }

    /**
     * Receives a ping. The key that issued the token becomes the caller of the request.
     *
     * @param request has the token of the address (the agent's id, a dot and the secret), and the signal, which is empty for done
     * @param body the message; a body that is too large or unreadable does not fail the ping
     * @return the recorded ping
     * @throws ApiError 400 for an unknown signal; 403 if the key may not send heartbeats, or not from this address; 404 for an unknown or
     *     revoked token, and if the agent has another owner or the key is no longer in force; 410 for a deregistered agent, and for a dead
     *     agent unless the token is its owner's
     */
    ObjectNode receive(ApiRequest request, BodyStart body) {
        String text = request.pathText("token");
        int dot = text.lastIndexOf('.');
        String agentId = text.substring(0, Math.max(dot, 0));
        PingAddress address = Optional.of(agentId)
                .filter(Ids::isValid)
                .flatMap(addresses::find)
                .filter(found -> agents.find(agentId)
                        .filter(agent -> found.isOf(agent.pulse().owner()))
                        .isPresent())
                .orElseThrow(Pings::unknown);
        Token token = address.token(KeyHash.ofKey(text.substring(dot + 1))).orElseThrow(Pings::unknown);
        Caller issuer = issuers.find(address, token).orElseThrow(Pings::unknown);
        request.identify(issuer);
        checkLimits(issuer.limits(), request.address());
        PingSignal said = PingSignal.of(request.pathText("signal"));
        PingMessage message = PingMessage.of(body);
        boolean registersAgain = issuer.keyId().equals(address.ownerKeyId());
        SignResult sign = SignsOfLife.in(database, clock).record(agentId, SeenBy.PING, registersAgain);
        if (sign == SignResult.UNKNOWN) {
            throw unknown();
        }
        if (sign == SignResult.GONE) {
            throw agents.find(agentId)
                    .map(StoredAgent::pulse)
                    .filter(pulse -> pulse.status().hasEnded())
                    .map(AgentError::gone)
                    .orElseGet(Pings::unknown);
        }
        Instant now = clock.instant();
        long millis = said.isEnd() ? runtime(address, now) : LastPing.NO_DURATION;
        if (said.isEnd()) {
            count(agentId, address, said, millis);
            lastRun.record(agentId, said.result(), said.exitCode());
        }
        addresses.change(
                agentId,
                address,
                address.after(
                        new LastPing(now, said.text(), millis, message.text(), message.cut()),
                        said.isEnd() ? Instant.EPOCH : now));
        return json(said, millis, message, body.fault());
    }

    private static long runtime(PingAddress address, Instant now) {
        boolean known = address.isStarted()
                && !now.isBefore(address.startedAt())
                && !now.isAfter(address.startedAt().plus(MAX_RUN));
        return known ? Duration.between(address.startedAt(), now).toMillis() : LastPing.NO_DURATION;
    }

    /** Counts the end of a run before its start is removed. The batch has the name of the start, so that a repeated end counts once. */
    private void count(String agentId, PingAddress address, PingSignal said, long millis) {
        String batch = millis == LastPing.NO_DURATION
                ? UlidCreator.getUlid(clock.millis()).toString()
                : Long.toString(address.startedAt().toEpochMilli());
        OutcomeReports.to(database, clock)
                .countOfAgent(
                        agentId,
                        "ping:" + batch,
                        new Outcome(
                                said.kind() == PingSignal.Kind.SUCCESS ? OutcomeResult.SUCCESS : OutcomeResult.FAILURE,
                                ErrorType.OTHER,
                                millis == LastPing.NO_DURATION ? Outcome.NO_LATENCY : millis,
                                clock.instant(),
                                false));
    }

    private static ObjectNode json(PingSignal said, long millis, PingMessage message, String fault) {
        ObjectNode json = Json.object();
        json.put("received", said.kind().name().toLowerCase(Locale.ROOT));
        PingAddressJson.putMillis(json, millis);
        json.put("message_truncated", message.cut());
        if (!fault.isEmpty()) {
            json.putArray("warnings").addObject().put("field", "body").put("message", fault + "; the ping counts");
        }
        return json;
    }

    private static void checkLimits(KeyLimits limits, String from) {
        if (!limits.allows(from)) {
            throw AccessError.addressNotAllowed(from);
        }
        if (!limits.allows(KeyAction.HEARTBEAT)) {
            throw AccessError.actionNotAllowed(KeyAction.HEARTBEAT);
        }
    }

    private static ApiError unknown() {
        return ApiError.notFound("ping_url_not_found", "There is no such ping address.");
    }
}
