package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.gateway.ConnectionState;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.registry.profile.A2aBinding;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.A2aVersion;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the state of agents' endpoints, as the results of calls show it. The key of each state is a hash of the endpoint and the protocol
 * that the agent declares. If the agent declares another endpoint or protocol, its state is unknown. A state expires 30 days after its last
 * change. Every write may be repeated. Thread-safe.
 */
public final class ConnectionStore {

    private static final Duration RETENTION = Duration.ofDays(30);
    private static final Attribute<String> SPOKEN = new Attribute<>("a2a", TEXT);
    private static final Attribute<String> BINDING = new Attribute<>("binding", TEXT);
    private static final Attribute<String> TENANT = new Attribute<>("tenant", TEXT);
    private static final Attribute<Integer> TIMEOUTS = new Attribute<>("t", INTEGER);

    private final Database database;

    public ConnectionStore(Database database) {
        this.database = database;
    }

    /** Returns the state of the agent's endpoint, eventually consistent. */
    public ConnectionState find(AgentProfile agent) {
        Map<String, AttributeValue> item = database.registry().get(key(agent), false);
        A2aProtocol declared = agent.agentInterface().a2a();
        return Attributes.isExpired(item, database.now())
                ? new ConnectionState(declared, 0)
                : new ConnectionState(
                        new A2aProtocol(
                                WireNamed.find(A2aVersion.class, SPOKEN.of(item))
                                        .orElse(declared.version()),
                                WireNamed.find(A2aBinding.class, BINDING.of(item))
                                        .orElse(declared.binding()),
                                item.containsKey(SPOKEN.name()) ? TENANT.of(item) : declared.tenant()),
                        TIMEOUTS.of(item));
    }

    /** Stores the protocol in which the agent answered, and that it is responsive. */
    public void answered(AgentProfile agent, A2aProtocol spoken) {
        Update answered = update(agent)
                .set(SPOKEN, spoken.version().wireName())
                .set(BINDING, spoken.binding().wireName())
                .remove(TIMEOUTS.name());
        database.registry()
                .update(
                        spoken.tenant().isEmpty()
                                ? answered.remove(TENANT.name())
                                : answered.set(TENANT, spoken.tenant()));
    }

    /** Counts a timeout. */
    public void timedOut(AgentProfile agent) {
        database.registry().update(update(agent).add(TIMEOUTS.name(), n(1)));
    }

    private Update update(AgentProfile agent) {
        return Update.upsert(key(agent))
                .set(Attributes.EXPIRES, seconds(database.now().plus(RETENTION)));
    }

    private static Map<String, AttributeValue> key(AgentProfile agent) {
        A2aProtocol declared = agent.agentInterface().a2a();
        List<String> parts = new ArrayList<>(
                List.of(agent.agentInterface().endpoint(), declared.version().wireName()));
        if (declared.binding() != A2aBinding.DEFAULT) {
            parts.add(declared.binding().wireName());
        }
        if (!declared.tenant().isEmpty()) {
            parts.add("tenant " + declared.tenant());
        }
        byte[] hash = Sha256.of(parts);
        return ItemKind.CONNECTION.key(
                agent.agentId(), Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
    }
}
