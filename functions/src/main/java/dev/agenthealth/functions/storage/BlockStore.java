package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.moment;
import static dev.agenthealth.functions.storage.Values.number;
import static dev.agenthealth.functions.storage.Values.text;

import dev.agenthealth.model.trust.Block;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/**
 * Blocks of agents and providers, each an item of its own that only operators write: no invocation that is over while one is set can undo it.
 * Always read as of now. Thread-safe.
 */
public final class BlockStore {

    private static final String IN_FORCE = "blocked";
    private static final String REASON = "reason";
    private static final String ACTOR = "actor";
    private static final String AT = "at";
    private static final String REVISION = "rev";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;
    private final BatchReads reads;

    BlockStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
        this.reads = new BatchReads(dynamoDb, retrying);
    }

    /**
     * What stands in the way of a call.
     *
     * @param ofProvider what was decided about the agent's provider; {@link Block#NONE} for an agent without one
     * @param ofAgent what was decided about the agent
     */
    public record Blocks(Block ofProvider, Block ofAgent) {}

    /** What was decided about an agent and about its provider, which is empty for none. One request. */
    public Blocks of(String agentId, String providerId) {
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        keys.add(RegistryKeys.blockOfAgent(agentId));
        if (!providerId.isEmpty()) {
            keys.add(RegistryKeys.blockOfProvider(providerId));
        }
        Block ofProvider = Block.NONE;
        Block ofAgent = Block.NONE;
        for (Map<String, AttributeValue> item :
                reads.get(Map.of(tables.registry(), keys), true).of(tables.registry())) {
            if (text(item, RegistryKeys.PK).equals(RegistryKeys.agent(agentId))) {
                ofAgent = read(item);
            } else {
                ofProvider = read(item);
            }
        }
        return new Blocks(ofProvider, ofAgent);
    }

    /** The block of an agent that is in force. */
    public Optional<Block> agent(String agentId) {
        return inForce(RegistryKeys.blockOfAgent(agentId));
    }

    /** The block of a provider that is in force. */
    public Optional<Block> provider(String providerId) {
        return inForce(RegistryKeys.blockOfProvider(providerId));
    }

    private Optional<Block> inForce(Map<String, AttributeValue> key) {
        GetItemRequest request = GetItemRequest.builder()
                .tableName(tables.registry())
                .key(key)
                .consistentRead(true)
                .build();
        return Optional.of(read(
                        retrying.call("block", () -> dynamoDb.getItem(request)).item()))
                .filter(Block::inForce);
    }

    private static Block read(Map<String, AttributeValue> item) {
        AttributeValue inForce = item.get(IN_FORCE);
        return inForce == null
                ? Block.NONE
                : new Block(
                        inForce.bool(),
                        text(item, REASON),
                        text(item, ACTOR),
                        moment(item, AT, Instant.EPOCH),
                        number(item, REVISION, 0));
    }
}
