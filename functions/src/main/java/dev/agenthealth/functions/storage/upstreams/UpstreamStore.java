package dev.agenthealth.functions.storage.upstreams;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.UpstreamEvents;
import dev.agenthealth.model.registry.upstream.UpstreamError;
import dev.agenthealth.model.registry.upstream.UpstreamFigures;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import dev.agenthealth.model.registry.upstream.UpstreamRule;
import dev.agenthealth.model.registry.upstream.Upstreams;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the providers that fail for many agents at once, in one item each, in the partition that lists blocks. So readers of the blocks in force
 * read them with one request. Thread-safe.
 */
public final class UpstreamStore {

    private static final String SEPARATOR = " ";
    private static final int ERROR = 0;
    private static final int AGENTS = 1;
    private static final int CALLS = 2;
    private static final int MODEL = 3;

    private static final Codec<UpstreamProblem> PROBLEM = new Codec<>();
    private static final Attribute<Instant> SINCE = PROBLEM.always("since", MOMENT, UpstreamProblem::since);
    private static final Codec<UpstreamProblem.Counts> COUNTS = PROBLEM.part(UpstreamProblem::counts);
    private static final Attribute<Long> AGENTS_NOW = COUNTS.always("agents", NUMBER, UpstreamProblem.Counts::agents);
    private static final Attribute<Long> MOST = COUNTS.always("most", NUMBER, UpstreamProblem.Counts::most);
    private static final Attribute<Long> OWNERS = COUNTS.always("owners", NUMBER, UpstreamProblem.Counts::owners);
    private static final Attribute<Long> USERS = COUNTS.always("users", NUMBER, UpstreamProblem.Counts::users);
    private static final Attribute<List<String>> FIGURES =
            COUNTS.always("figures", TEXTS, counts -> counts.figures().parts().stream()
                    .map(UpstreamStore::text)
                    .toList());
    private static final Attribute<byte[]> CONCERNED =
            PROBLEM.always("concerned", BYTES, problem -> bytes(problem.concerned()));

    static {
        // The end of a block. A version without providers of models takes the item for a block that is over.
        PROBLEM.always("until", MOMENT, problem -> Instant.EPOCH);
    }

    private final Database database;
    private final Table registry;

    public UpstreamStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Returns the providers that fail now. Costs one query. */
    public Upstreams inForce() {
        Query query = Query.partition(ItemKind.UPSTREAM.partition())
                .startingWith(ItemKind.UPSTREAM.prefix())
                .consistent();
        return new Upstreams(registry.all(query).map(UpstreamStore::read).toList());
    }

    /** Returns whether an item of the partition is a provider. */
    public static boolean isUpstream(Map<String, AttributeValue> item) {
        return Values.text(item, Attributes.SK).startsWith(ItemKind.UPSTREAM.prefix());
    }

    /**
     * Stores a change, with its event if a problem begins or ends. Returns {@code false} if the problem is no longer as it was read.
     *
     * @param change the change of a problem that {@link #inForce} returned, or of a new problem
     */
    public boolean put(UpstreamRule.Change change, Instant now) {
        if (change.isOver()) {
            UpstreamProblem before = change.before().orElseThrow();
            return EventWrites.add(
                            database.transaction().delete(registry, key(before), asRead(before)),
                            database,
                            List.of(UpstreamEvents.recovered(before, now)))
                    .commit();
        }
        UpstreamProblem after = change.after().orElseThrow();
        Map<String, AttributeValue> item = PROBLEM.item(key(after), after);
        if (change.begins()) {
            return EventWrites.add(
                            database.transaction().put(registry, item, Condition.absent(Attributes.PK)),
                            database,
                            List.of(UpstreamEvents.failing(after)))
                    .commit();
        }
        return registry.put(item, asRead(change.before().orElseThrow()));
    }

    /** Two passes that read the same calls write the same numbers. */
    private static Condition asRead(UpstreamProblem before) {
        return SINCE.is(before.since());
    }

    private static Map<String, AttributeValue> key(UpstreamProblem problem) {
        return ItemKind.UPSTREAM.key(problem.provider());
    }

    /** Returns the problem in an item of a provider. */
    public static UpstreamProblem read(Map<String, AttributeValue> item) {
        return new UpstreamProblem(
                ItemKind.UPSTREAM.afterPrefix(item),
                SINCE.of(item),
                new UpstreamProblem.Counts(
                        AGENTS_NOW.of(item),
                        MOST.of(item),
                        OWNERS.of(item),
                        USERS.of(item),
                        new UpstreamFigures(FIGURES.of(item).stream()
                                .map(UpstreamStore::part)
                                .toList())),
                numbers(CONCERNED.of(item)));
    }

    private static String text(UpstreamFigures.Part part) {
        return String.join(
                SEPARATOR,
                part.error().wireName(),
                Long.toString(part.agents()),
                Long.toString(part.calls()),
                part.model());
    }

    private static UpstreamFigures.Part part(String text) {
        String[] parts = text.split(SEPARATOR, MODEL + 1);
        return new UpstreamFigures.Part(
                parts[MODEL],
                WireNamed.find(UpstreamError.class, parts[ERROR]).orElse(UpstreamError.UNAVAILABLE),
                Long.parseLong(parts[AGENTS]),
                Long.parseLong(parts[CALLS]));
    }

    private static byte[] bytes(Set<Integer> numbers) {
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES * numbers.size());
        numbers.stream().sorted().forEach(buffer::putInt);
        return buffer.array();
    }

    private static Set<Integer> numbers(byte[] bytes) {
        Set<Integer> numbers = new HashSet<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            numbers.add(buffer.getInt());
        }
        return numbers;
    }
}
