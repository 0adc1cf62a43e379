package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.flag;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.model.event.TrustEvents;
import dev.agenthealth.model.trust.Block;
import dev.agenthealth.model.trust.TrustSubject;
import dev.agenthealth.model.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.trust.TrustSubject.OfProvider;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Blocks of agents and providers: one item each, which only operators write, so that recording an invocation never changes a block. All reads
 * are strongly consistent. Thread-safe.
 */
public final class BlockStore {

    private static final String IN_FORCE = "blocked";
    private static final String REASON = "reason";
    private static final String ACTOR = "actor";
    private static final String AT = "at";
    private static final String REVISION = "rev";

    private final Database database;
    private final Table registry;

    public BlockStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The blocks that apply to calls of an agent.
     *
     * @param ofProvider the block of the agent's provider; {@link Block#NONE} for an agent without one
     * @param ofAgent the block of the agent
     */
    public record Blocks(Block ofProvider, Block ofAgent) {}

    /** The blocks of an agent and of its provider, whose id is empty for none. One request. */
    public Blocks of(String agentId, String providerId) {
        OfAgent agent = new OfAgent(agentId);
        OfProvider provider = new OfProvider(providerId);
        Map<TrustSubject, Block> blocks = of(providerId.isEmpty() ? List.of(agent) : List.of(agent, provider));
        return new Blocks(blocks.getOrDefault(provider, Block.NONE), blocks.get(agent));
    }

    /** The block of each of these agents and providers; {@link Block#NONE} where none was decided. */
    public <T extends TrustSubject> Map<T, Block> of(List<T> subjects) {
        Map<T, Block> blocks = new HashMap<>();
        Map<Map<String, AttributeValue>, T> byKey = new HashMap<>();
        for (T subject : subjects) {
            blocks.put(subject, Block.NONE);
            byKey.put(key(subject), subject);
        }
        registry.getAll(List.copyOf(byKey.keySet()), true)
                .forEach(item -> blocks.put(byKey.get(Attributes.keyOf(item)), read(item)));
        return blocks;
    }

    /**
     * Writes a decision with its event.
     *
     * @return {@code false} where its revision is not the next one: a concurrent write changed the block
     */
    public boolean decide(TrustSubject subject, Block decided) {
        Map<String, AttributeValue> item = Attributes.item(key(subject));
        item.put(IN_FORCE, flag(decided.inForce()));
        item.put(REASON, s(decided.reason()));
        item.put(ACTOR, s(decided.actor()));
        item.put(AT, moment(decided.at()));
        item.put(REVISION, n(decided.revision()));
        return database.transaction()
                .put(registry, item, Condition.numberOrAbsent(REVISION, decided.revision() - 1))
                .put(registry, EventItem.of(TrustEvents.decided(subject, decided), database.now()))
                .commit();
    }

    /** Replaces the reason of an agent's block, if there is one, by this text; the next event needs some reason. */
    public void replaceReason(String agentId, String text) {
        registry.update(
                Update.of(key(new OfAgent(agentId))).set(REASON, s(text)).when(Condition.exists(Attributes.PK)));
    }

    private static Map<String, AttributeValue> key(TrustSubject subject) {
        ItemKind kind = subject instanceof OfProvider ? ItemKind.PROVIDER_BLOCK : ItemKind.AGENT_BLOCK;
        return kind.key(subject.id());
    }

    private static Block read(Map<String, AttributeValue> item) {
        return new Block(
                item.get(IN_FORCE).bool(),
                text(item, REASON),
                text(item, ACTOR),
                moment(item, AT, Instant.EPOCH),
                number(item, REVISION, 0));
    }
}
