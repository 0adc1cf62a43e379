package dev.agenthealth.local.crash;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.dynamodb.Messages;
import dev.agenthealth.dynamodb.StoredMessage;
import dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException;
import dev.agenthealth.dynamodb.sqlite.Settings;
import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * A process that writes to a database what a registry writes: transactions of items in both tables with their event, entries of all indexes,
 * heartbeats that are not synced, and messages of queues. It prints what was acknowledged, and a check compares a database with that.
 */
final class DiskScript {

    static final String DATABASE = "agent-health.db";
    static final int WORKERS = 3;

    private static final List<TableDefinition> TABLES =
            Template.find().stack(Resolution.local()).tables();
    private static final String PULSES = table(1);
    private static final String REGISTRY = table(2);
    private static final Set<String> UNSYNCED = Set.of("lh");
    private static final int BULK = 45;
    private static final int LARGE = 30_000;
    private static final int DELETED_EACH = 5;
    private static final int DELETED_BEFORE = 3;

    private final EmbeddedDynamoDb database;
    private final DynamoDbClient client;
    private final Path record;
    private final int transactions;
    private final boolean splits;
    private final Random random;

    private DiskScript(EmbeddedDynamoDb database, String[] arguments) {
        this.database = database;
        this.client = database.client();
        this.random = new Random(Long.parseLong(arguments[2]));
        this.transactions = Integer.parseInt(arguments[3]);
        this.record = Path.of(arguments[1]);
        this.splits = arguments[5].equals("split");
    }

    private static String table(int keys) {
        return TABLES.stream()
                .filter(table -> table.keySchema().size() == keys)
                .findFirst()
                .orElseThrow()
                .name();
    }

    /**
     * Runs the script.
     *
     * @param arguments the folder, the record of the disk, a seed, the number of transactions, {@link Settings.Sync} and {@code whole}, or {@code
     *     split} for an event that is written after its change
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Settings settings = new Settings(folder.resolve(DATABASE), false, Settings.Sync.valueOf(arguments[4]));
        try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inFile(settings, UNSYNCED, Clock.systemUTC())) {
            new DiskScript(database, arguments).run();
        }
    }

    private void run() throws InterruptedException {
        persistently(() -> {
            new EmulatedTables(database, TABLES);
            database.checkpoints().declare(List.of("consumer"));
        });
        System.out.println("begin");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            int worker = i;
            Random own = new Random(random.nextLong());
            threads.add(new Thread(() -> work(worker, own)));
        }
        threads.forEach(Thread::start);
        Thread heartbeats = new Thread(this::sendHeartbeats);
        heartbeats.start();
        for (Thread thread : threads) {
            thread.join();
        }
        heartbeats.interrupt();
        heartbeats.join();
        acknowledge("calm", 0);
        grow();
        shrink();
        acknowledge("end", 0);
    }

    /** Tries again while the disk fails. */
    private static void persistently(Runnable step) {
        while (true) {
            try {
                step.run();
                return;
            } catch (InternalServerErrorException | IllegalStateException e) {
                Thread.onSpinWait();
            }
        }
    }

    private synchronized void acknowledge(String what, long number) {
        try {
            long at = Files.exists(record) ? Files.size(record) : 0;
            System.out.println(what + " " + number + " " + at);
            System.out.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void work(int worker, Random own) {
        for (int i = 1; i <= transactions; i++) {
            int number = i;
            for (int j = own.nextInt(6); j > 0; j--) {
                persistently(() -> heartbeat("H" + worker, number));
            }
            String payload = "x".repeat(own.nextInt(30) == 0 ? 9_000 : own.nextInt(600));
            try {
                persistently(() -> write(worker, number, payload));
            } catch (SdkException e) {
                acknowledge("broken: refused, and applied all the same: " + e.getMessage(), number);
                return;
            }
            acknowledge("w" + worker, number);
            persistently(() -> database.messages().add(List.of(message(worker, number)), true));
            acknowledge("m" + worker, number);
            persistently(() -> database.messages().remove(List.of(message(worker, number - 1))));
        }
    }

    private static StoredMessage message(int worker, int number) {
        return new StoredMessage(queue(worker), "m" + number, Instant.ofEpochMilli(number), "x".repeat(number));
    }

    private static String queue(int worker) {
        return "queue-" + worker;
    }

    private void write(int worker, int number, String payload) {
        String owner = "A#" + worker;
        List<TransactWriteItem> writes = new ArrayList<>();
        writes.add(TransactWriteItem.builder()
                .put(put -> put.tableName(REGISTRY)
                        .item(Map.of(
                                "pk",
                                text(owner),
                                "sk",
                                text("state"),
                                "n",
                                number(number),
                                "dp",
                                text("due"),
                                "ds",
                                text("%06d#%s".formatted(number, owner))))
                        .conditionExpression(number == 1 ? "attribute_not_exists(pk)" : "n = :before")
                        .expressionAttributeValues(number == 1 ? null : Map.of(":before", number(number - 1))))
                .build());
        writes.add(TransactWriteItem.builder()
                .put(put -> put.tableName(PULSES)
                        .item(Map.of("id", text(owner), "x", text("active#" + number % 4), "n", number(number))))
                .build());
        TransactWriteItem event = TransactWriteItem.builder()
                .put(put -> put.tableName(REGISTRY)
                        .item(Map.of(
                                "pk",
                                text(owner),
                                "sk",
                                text(event(number)),
                                "fp",
                                text("feed"),
                                "fs",
                                text(event(number) + owner),
                                "payload",
                                text(payload))))
                .build();
        if (number % DELETED_EACH == 0) {
            writes.add(TransactWriteItem.builder()
                    .delete(delete -> delete.tableName(REGISTRY)
                            .key(Map.of("pk", text(owner), "sk", text(event(number - DELETED_BEFORE)))))
                    .build());
        }
        if (splits) {
            client.transactWriteItems(request -> request.transactItems(writes));
            client.transactWriteItems(request -> request.transactItems(event));
        } else {
            writes.add(event);
            client.transactWriteItems(request -> request.transactItems(writes));
        }
    }

    private void sendHeartbeats() {
        for (int i = 1; !Thread.currentThread().isInterrupted(); i++) {
            int number = i;
            persistently(() -> heartbeat("H", number));
            if (i % 8 == 0) {
                try {
                    database.maintainOnce();
                    acknowledge("h", number);
                } catch (IOException | SQLException | RuntimeException e) {
                    // The disk failed; the next one may succeed.
                    continue;
                }
            }
        }
    }

    private void heartbeat(String id, int number) {
        client.updateItem(update -> update.tableName(PULSES)
                .key(Map.of("id", text(id)))
                .updateExpression("SET lh = :n")
                .expressionAttributeValues(Map.of(":n", number(number))));
    }

    private void grow() {
        for (int i = 0; i < BULK; i++) {
            Map<String, AttributeValue> item =
                    Map.of("pk", text("bulk"), "sk", text("b" + i), "payload", text("y".repeat(LARGE)));
            persistently(() -> client.putItem(put -> put.tableName(REGISTRY).item(item)));
        }
    }

    private void shrink() {
        for (int i = 0; i < BULK; i++) {
            Map<String, AttributeValue> key = Map.of("pk", text("bulk"), "sk", text("b" + i));
            persistently(
                    () -> client.deleteItem(delete -> delete.tableName(REGISTRY).key(key)));
        }
        persistently(() -> {
            try {
                database.maintainOnce();
            } catch (IOException | SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static String event(int number) {
        return "E#%06d".formatted(number);
    }

    private static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    /** What a script printed: the numbers of a counter by the length of the record when they were acknowledged. */
    static final class Acknowledged {

        private final Map<String, TreeMap<Long, Long>> counters = new HashMap<>();
        private final List<String> broken = new ArrayList<>();

        static Acknowledged read(Path output) throws IOException {
            Acknowledged acknowledged = new Acknowledged();
            for (String line : Files.readAllLines(output)) {
                String[] words = line.split(" ");
                if (line.startsWith("broken")) {
                    acknowledged.broken.add(line);
                } else if (words.length == 3 && line.matches("\\w+ \\d+ \\d+")) {
                    acknowledged
                            .counters
                            .computeIfAbsent(words[0], name -> new TreeMap<>())
                            .put(Long.parseLong(words[2]), Long.parseLong(words[1]));
                }
            }
            return acknowledged;
        }

        List<String> broken() {
            return broken;
        }

        boolean isEnded() {
            return counters.containsKey("end");
        }

        long by(String counter, long at) {
            Map.Entry<Long, Long> last =
                    counters.getOrDefault(counter, new TreeMap<>()).floorEntry(at);
            return last == null ? 0 : last.getValue();
        }

        /** The number of transactions of all workers. */
        long transactions() {
            long all = 0;
            for (int i = 0; i < WORKERS; i++) {
                all += by("w" + i, Long.MAX_VALUE);
            }
            return all;
        }

        /**
         * Opens a database and compares it with what was acknowledged by then.
         *
         * @param at the length of the record at the crash
         * @return a sentence for each thing that is lost, half, or neither acknowledged nor under way
         */
        List<String> missing(Path folder, long at) {
            long all = 0;
            for (int i = 0; i < WORKERS; i++) {
                all += by("w" + i, at);
            }
            Settings settings = new Settings(folder.resolve(DATABASE), all > 0, Settings.Sync.NEVER);
            try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inFile(settings, UNSYNCED, Clock.systemUTC())) {
                List<String> found = new ArrayList<>(database.check());
                if (found.isEmpty()) {
                    if (all == 0) {
                        // Nothing was acknowledged: the next start creates what is missing.
                        new EmulatedTables(database, TABLES);
                    }
                    compare(database.client(), at, found);
                    compare(database.messages(), at, found);
                }
                return found;
            } catch (DatabaseUnusableException | ResourceNotFoundException e) {
                return List.of(e.getMessage());
            }
        }

        private void compare(DynamoDbClient client, long at, List<String> found) {
            Map<String, Set<String>> events = new HashMap<>();
            client.scanPaginator(scan -> scan.tableName(REGISTRY).projectionExpression("pk, sk"))
                    .items()
                    .forEach(item -> events.computeIfAbsent(item.get("pk").s(), pk -> new java.util.TreeSet<>())
                            .add(item.get("sk").s()));
            for (int i = 0; i < WORKERS; i++) {
                long acknowledged = by("w" + i, at);
                String owner = "A#" + i;
                long state = read(client, REGISTRY, Map.of("pk", text(owner), "sk", text("state")), "n");
                long pulse = read(client, PULSES, Map.of("id", text(owner)), "n");
                if (state < acknowledged || state > acknowledged + 1) {
                    found.add(owner + " is at " + state + ", acknowledged was " + acknowledged);
                }
                if (pulse != state) {
                    found.add(owner + " is at " + state + " in one table, at " + pulse + " in the other");
                }
                Set<String> expected = new java.util.TreeSet<>();
                for (int number = 1; number <= state; number++) {
                    expected.add(event(number));
                    if (number % DELETED_EACH == 0) {
                        expected.remove(event(number - DELETED_BEFORE));
                    }
                }
                if (state > 0) {
                    expected.add("state");
                }
                Set<String> there = events.getOrDefault(owner, Set.of());
                if (!there.equals(expected)) {
                    found.add(owner + " is at " + state + " and has the events " + there);
                }
            }
            long heartbeat = read(client, PULSES, Map.of("id", text("H")), "lh");
            if (heartbeat < by("h", at)) {
                found.add("the heartbeat " + by("h", at) + " was synced, and " + heartbeat + " is there");
            }
        }

        /** A removed message may be there again. */
        private void compare(Messages messages, long at, List<String> found) {
            for (int i = 0; i < WORKERS; i++) {
                long acknowledged = by("m" + i, at);
                List<StoredMessage> there = messages.load(queue(i));
                if (acknowledged > 0 && !there.contains(message(i, (int) acknowledged))) {
                    found.add(queue(i) + " lacks the message " + acknowledged);
                }
                for (StoredMessage message : there) {
                    long number = message.sentAt().toEpochMilli();
                    if (number > acknowledged + 1 || !message.equals(message(i, (int) number))) {
                        found.add(queue(i) + " has the message " + message.id() + ", acknowledged was " + acknowledged);
                    }
                }
            }
        }

        private static long read(DynamoDbClient client, String table, Map<String, AttributeValue> key, String name) {
            AttributeValue value =
                    client.getItem(get -> get.tableName(table).key(key)).item().get(name);
            return value == null ? 0 : Long.parseLong(value.n());
        }
    }
}
