package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.wiring.Pause;
import dev.agenthealth.functions.runtime.wiring.ReadsTogether;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The two tables, transactions over both tables, and the time. The class is stateless and thread-safe. */
public final class Database {

    /** DynamoDB's limit for one batch read. */
    static final int MAX_KEYS_OF_A_BATCH_READ = 100;

    private final Requests requests;
    private final Tables names;
    private final Table pulses;
    private final Table registry;
    private final Clock clock;
    private final Turns turns;
    private final ReadsTogether reads;

    /** Creates transactions. A database of {@link #writing} begins each transaction with the write of its item. */
    private final Supplier<Transaction> begun;

    /** @param meter counts consumed capacity and holds the deadline of the work */
    public Database(DynamoDbClient client, Tables names, Clock clock, Pause pause, StorageMeter meter) {
        this(client, names, clock, pause, meter, new Turns(), ReadsTogether.ALONE);
    }

    private Database(
            DynamoDbClient client,
            Tables names,
            Clock clock,
            Pause pause,
            StorageMeter meter,
            Turns turns,
            ReadsTogether reads) {
        this.requests = new Requests(client, new RequestRetries(clock, pause, meter), meter);
        this.names = names;
        this.pulses = new Table(requests, names.pulses());
        this.registry = new Table(requests, names.registry());
        this.clock = clock;
        this.turns = turns;
        this.reads = reads;
        this.begun = () -> new Transaction(requests);
    }

    private Database(Database plain, Map<String, AttributeValue> item) {
        this.requests = plain.requests;
        this.names = plain.names;
        this.clock = plain.clock;
        this.turns = plain.turns;
        this.reads = plain.reads;
        this.begun = () -> new Transaction(requests).put(plain.registry, item);
        this.pulses = new Table(requests, names.pulses(), Optional.of(begun));
        this.registry = new Table(requests, names.registry(), Optional.of(begun));
    }

    /** Returns the database of a deployed function, which counts the capacity that it consumes. */
    public static Database of(Wiring wiring) {
        return new Database(
                wiring.dynamoDb().get(),
                Tables.of(wiring),
                wiring.clock(),
                wiring.pause(),
                wiring.storageMeter(),
                wiring.process().shared(Turns.class, Turns::new),
                wiring.process().shared(ReadsTogether.class, () -> ReadsTogether.ALONE));
    }

    /** Returns the table with one narrow row for each monitored agent. */
    public Table pulses() {
        return pulses;
    }

    /** Returns the table with all other items. */
    public Table registry() {
        return registry;
    }

    /** Returns the time for which an event is kept. */
    public Duration eventRetention() {
        return names.eventRetention();
    }

    /** Returns the time for which an entry of the audit log is kept. */
    public Duration auditRetention() {
        return names.auditRetention();
    }

    /** Returns the number of shards of the feed of events to which events are written. */
    public int feedShards() {
        return names.feedShards();
    }

    /** Returns the number of partitions of the index of due agents to which entries are written. */
    public int duePartitions() {
        return names.duePartitions();
    }

    /** Runs reads of the calling thread, possibly as of one moment, and returns their result. They read nothing that they write. */
    public <T> T together(Supplier<T> several) {
        return reads.run(several);
    }

    /** Returns the turns of this process's writers. */
    Turns turns() {
        return turns;
    }

    public Transaction transaction() {
        return begun.get();
    }

    /**
     * Returns this database for one change that is written together with another item of the registry table. A write of one item becomes a
     * transaction of both items, and a transaction begins with the other item. Batches, and updates that return the item, are written
     * without the other item.
     */
    public Database writing(Map<String, AttributeValue> item) {
        return new Database(this, item);
    }

    /**
     * Writes independent changes, with as many changes in one transaction as fit. If a condition of a transaction does not hold, its
     * changes are written one by one.
     *
     * @param writesEach the number of writes that a change adds to a transaction
     * @param writes adds the writes of a change
     * @param timeLeft whether there is time to begin one more transaction
     * @return the changes that were written
     */
    public <T> List<T> writeEach(
            List<T> changes, int writesEach, BiConsumer<Transaction, T> writes, BooleanSupplier timeLeft) {
        List<T> written = new ArrayList<>();
        int most = Transaction.MAX_WRITES / writesEach;
        for (int from = 0; from < changes.size() && timeLeft.getAsBoolean(); from += most) {
            List<T> some = changes.subList(from, Math.min(from + most, changes.size()));
            if (write(some, writes)) {
                written.addAll(some);
            } else if (some.size() > 1) {
                some.stream()
                        .filter(one -> timeLeft.getAsBoolean() && write(List.of(one), writes))
                        .forEach(written::add);
            }
        }
        return written;
    }

    private <T> boolean write(List<T> changes, BiConsumer<Transaction, T> writes) {
        Transaction transaction = transaction();
        changes.forEach(change -> writes.accept(transaction, change));
        return transaction.commit();
    }

    public Instant now() {
        return clock.instant();
    }

    /** Returns the item of the registry table with this key as of now; empty if there is no item, or it has expired. */
    public Optional<Map<String, AttributeValue>> findUnexpired(Map<String, AttributeValue> key) {
        return registry.find(key).filter(item -> !Attributes.isExpired(item, now()));
    }

    /**
     * A row of pulses and items of the registry table.
     *
     * @param row the row; empty if there is none
     * @param registry the items that were found, in no particular order
     */
    public record Items(Map<String, AttributeValue> row, List<Map<String, AttributeValue>> registry) {

        /** Returns the row and the items of one partition. */
        public Items in(String partition) {
            List<Map<String, AttributeValue>> found = new ArrayList<>();
            for (Map<String, AttributeValue> item : registry) {
                if (Values.text(item, Attributes.PK).equals(partition)) {
                    found.add(item);
                }
            }
            return new Items(row, found);
        }

        /** Returns the item of a kind with a constant sort key; empty if there is none. */
        public Map<String, AttributeValue> of(ItemKind kind) {
            String sortKey = kind.sortKey();
            for (Map<String, AttributeValue> item : registry) {
                if (Values.text(item, Attributes.SK).equals(sortKey)) {
                    return item;
                }
            }
            return Map.of();
        }
    }

    /** Reads items of both tables in one request, at most 99 of the registry table. */
    public Items get(
            Map<String, AttributeValue> pulseKey, List<Map<String, AttributeValue>> registryKeys, boolean consistent) {
        Map<String, List<Map<String, AttributeValue>>> found =
                requests.getAll(Map.of(names.pulses(), List.of(pulseKey), names.registry(), registryKeys), consistent);
        return new Items(
                found.getOrDefault(names.pulses(), List.of()).stream()
                        .findFirst()
                        .orElse(Map.of()),
                found.getOrDefault(names.registry(), List.of()));
    }
}
