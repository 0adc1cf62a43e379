package dev.agenthealth.functions.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.eventbridge.EmulatedEventBridge;
import dev.agenthealth.emulator.eventbridge.EventBuses;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.EmulatedSqs;
import dev.agenthealth.emulator.sqs.Received;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.QueueDefinition;
import dev.agenthealth.template.Route;
import dev.agenthealth.testkit.EventContract;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.RandomTroubles;
import dev.agenthealth.testkit.StreamRecords;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestJson;
import dev.agenthealth.testkit.TestSqs;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The deployed system with its queues, its bus and its stream, whose every boundary has faults while they are on: DynamoDB, the other services,
 * deliveries, clocks, and functions that are killed. Each function has several instances. Not thread-safe.
 */
final class FaultySystem implements AutoCloseable {

    private static final int INSTANCES = 2;
    private static final int STREAM_SHARDS = 3;
    private static final String PUBLISHER = "PublisherFunction";
    private static final String WORKER = "InvocationWorkerFunction";

    private final Random random;
    private final Hits hits;
    private final FaultyClients clients;
    private final List<Instance> made = new CopyOnWriteArrayList<>();
    private final DeployedSystem system = new DeployedSystem(TestSystem.ADMINISTRATOR_KEY, this::around);
    private final TestDynamoDb dynamoDb;
    private final RandomTroubles troubles;
    private final EmulatedQueues queues;
    private final EventBridgeClient bus;
    private final List<JsonNode> delivered = new CopyOnWriteArrayList<>();
    private final Map<String, List<Instance>> instances = new HashMap<>();
    private final Map<Integer, Integer> publishedUpTo = new HashMap<>();
    private final List<ObjectNode> poison = new ArrayList<>();
    private double killRate;
    private Duration skew = Duration.ZERO;
    private double rate;

    /** @param hits those of a run without faults say how many calls each function makes */
    FaultySystem(long seed, Hits hits) {
        this.random = new Random(seed);
        this.hits = hits;
        this.clients = new FaultyClients(seed, hits);
        this.dynamoDb = new TestDynamoDb(system.tables().dynamoDb());
        this.troubles = dynamoDb.troubles(
                system.clock(),
                (trouble, request) -> hits.add(
                        trouble.name().toLowerCase().replace('_', ' '),
                        clients.current().function(),
                        request.getClass().getSimpleName().replace("Request", "")));
        this.queues = EmulatedQueues.inMemory(system.stack().queues(), system.clock());
        EventBuses buses =
                new EventBuses(system.stack().eventBuses(), system.stack().rules(), (target, envelopes) -> {
                    if (queues.has(target.arn())) {
                        envelopes.stream().map(TestJson::read).forEach(envelope -> {
                            EventContract.checkDelivered(envelope);
                            delivered.add(envelope.path("detail"));
                        });
                        queues.send(target.arn(), envelopes);
                    }
                });
        this.bus = new EmulatedEventBridge(buses, system.clock());
        for (FunctionDefinition function : system.functions()) {
            List<Instance> running = new ArrayList<>();
            for (int i = 0; i < INSTANCES; i++) {
                running.add(started(function.logicalId()));
            }
            instances.put(function.logicalId(), running);
        }
    }

    private Wiring around(String function, Wiring usual) {
        Instance instance = new Instance(function, system.clock());
        made.add(instance);
        return usual.toBuilder()
                .clock(instance)
                .dynamoDb(clients.of(DynamoDbClient.class, () -> dynamoDb, instance))
                .eventBridge(clients.of(EventBridgeClient.class, () -> bus, instance))
                .lambda(clients.of(LambdaClient.class, usual.lambda(), instance))
                .sqs(clients.of(SqsClient.class, () -> new EmulatedSqs(queues), instance))
                .kms(clients.of(KmsClient.class, usual.kms(), instance))
                .sns(clients.of(SnsClient.class, usual.sns(), instance))
                .snapshots(resource -> {})
                .build();
    }

    private Instance started(String function) {
        Map<String, String> environment =
                new HashMap<>(system.function(function).environment());
        environment.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        int before = made.size();
        var handler = system.restart(function, environment);
        Instance instance = made.get(before);
        instance.ready(handler);
        instance.setAhead(skewed());
        return instance;
    }

    private Duration skewed() {
        return skew.isZero()
                ? Duration.ZERO
                : Duration.ofMillis(random.nextLong(-skew.toMillis(), skew.toMillis() + 1));
    }

    /**
     * Begins faults.
     *
     * @param each the probability of each kind for a call
     * @param kills the probability that an invocation is killed, while there are places at which none was
     * @param maxSkew by how much the clock of an instance is off at most
     */
    void begin(double each, double kills, Duration maxSkew) {
        rate = each;
        killRate = kills;
        skew = maxSkew;
        Map<Trouble, Double> rates = new EnumMap<>(Trouble.class);
        for (Trouble trouble : Trouble.values()) {
            rates.put(trouble, trouble == Trouble.OUTAGE ? each / 100 : each);
        }
        troubles.start(random.nextLong(), rates);
        clients.setRate(each);
        instances.values().forEach(running -> running.forEach(instance -> instance.setAhead(skewed())));
    }

    /** Ends faults; clocks are right again. */
    void end() {
        rate = 0;
        killRate = 0;
        skew = Duration.ZERO;
        troubles.stop();
        clients.setRate(0);
        instances.values().forEach(running -> running.forEach(instance -> instance.setAhead(Duration.ZERO)));
    }

    boolean hasFaults() {
        return rate > 0;
    }

    MutableClock clock() {
        return system.clock();
    }

    DeployedSystem system() {
        return system;
    }

    /** The instances of a function that take turns. */
    List<Instance> instances(String function) {
        return instances.get(function);
    }

    /** The details of the events that reached the bus, in their order. */
    List<JsonNode> delivered() {
        return List.copyOf(delivered);
    }

    /** The answer to a request; empty where its function was killed. */
    Optional<TestApi.Response> request(String method, String path, Function<TestApi.Request, TestApi.Request> with) {
        FunctionDefinition function = system.functions().stream()
                .filter(each -> routeOf(each, method, path).isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no route " + method + " " + path));
        String route = routeOf(function, method, path).orElseThrow().routeKey();
        return invoked(function.logicalId(), route, instance -> with.apply(
                        instance.api().request(method, path))
                .send(TestContext.of(function.logicalId())));
    }

    private static Optional<Route> routeOf(FunctionDefinition function, String method, String path) {
        return function.routes().stream()
                .filter(route -> route.method().equals(method)
                        && path.matches(route.path().replaceAll("\\{[^}]*}", "[^/]+")))
                .min((one, other) ->
                        Boolean.compare(one.path().contains("{"), other.path().contains("{")));
    }

    /** Invokes a function by its schedule, which may do so twice at the same time while faults are on. */
    void schedule(String function) {
        if (hasFaults() && random.nextInt(6) == 0) {
            scheduleTwice(function);
        } else {
            invoked(function, "schedule", instance -> json(instance, "{}"));
        }
    }

    private void scheduleTwice(String function) {
        hits.add("two at once", function, "schedule");
        List<CompletableFuture<Void>> both = instances.get(function).stream()
                .map(instance -> CompletableFuture.runAsync(() -> {
                    tolerant(() -> json(instance, "{}"));
                }))
                .toList();
        both.forEach(CompletableFuture::join);
    }

    /** A sweep or a measurement may fail as a whole while faults are on: the next one does what is left. */
    private void tolerant(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Killed e) {
            if (!hasFaults()) {
                throw e;
            }
            hits.add("invocation failed", "any", e.getClass().getSimpleName());
        }
    }

    private static String json(Instance instance, String event) {
        return LambdaRuntime.invoke(instance.handler(), event, TestContext.of(instance.function()));
    }

    /** Invokes an instance, and kills it where the choice fell on this invocation. */
    private <R> Optional<R> invoked(String function, String trigger, Function<Instance, R> work) {
        List<Instance> running = instances.get(function);
        int chosen = random.nextInt(running.size());
        Instance instance = running.get(chosen);
        if (hasFaults() && random.nextInt(50) == 0) {
            instance.setAhead(skewed());
            hits.add("clock stepped", function, "clock");
        }
        String name = function + " " + trigger;
        int last = lastCall(name);
        instance.begin(last >= 0 ? last : Integer.MAX_VALUE);
        try {
            R answer = work.apply(instance);
            instance.answer();
            if (!hasFaults()) {
                hits.ended(name, instance.calls());
            }
            return Optional.of(answer);
        } catch (Killed | CompletionException e) {
            if (!instance.isDead()) {
                throw e;
            }
        } catch (RuntimeException e) {
            if (!instance.isDead() && !hasFaults()) {
                throw e;
            }
        } finally {
            instance.spare();
        }
        if (instance.isDead()) {
            hits.add("killed", function, trigger);
            hits.killed(name, last);
            running.set(chosen, started(function));
        } else {
            hits.add("invocation failed", function, trigger);
        }
        return Optional.empty();
    }

    /**
     * The calls after which an invocation is killed; -1 where it is not. More often where a place is left at which none was, and in every other case at the
     * first such place, which most invocations reach.
     */
    private int lastCall(String work) {
        int length = hits.length(work);
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i <= length; i++) {
            if (!hits.wasKilled(work, i)) {
                places.add(i);
            }
        }
        if (random.nextDouble() >= (places.isEmpty() ? killRate / 4 : killRate)) {
            return -1;
        }
        if (places.isEmpty()) {
            return random.nextInt(length + 1);
        }
        return places.get(random.nextBoolean() ? 0 : random.nextInt(places.size()));
    }

    /** All items of the registry table. */
    List<Map<String, AttributeValue>> items() {
        return system
                .tables()
                .dynamoDb()
                .scanPaginator(r -> r.tableName(TestTables.REGISTRY).consistentRead(true))
                .items()
                .stream()
                .toList();
    }

    /** Adds a record to the stream that holds no event. */
    void poisonStream() {
        ObjectNode record = TestJson.object();
        record.put("eventID", "poison").put("eventName", "INSERT").put("eventSource", "aws:dynamodb");
        record.putObject("dynamodb").put("SequenceNumber", "999" + poison.size());
        poison.add(record);
        hits.add("poison record", PUBLISHER, "stream");
    }

    /** Delivers the stream to the publisher until nothing is left: shard by shard in order, batches again, in part, or twice at once. */
    void publish() {
        List<ObjectNode> events = StreamRecords.events(system.tables());
        List<Integer> shards = new ArrayList<>(List.of(0, 1, 2));
        Collections.shuffle(shards, random);
        for (int shard : shards) {
            List<ObjectNode> records =
                    events.stream().filter(record -> shardOf(record) == shard).toList();
            int from = publishedUpTo.getOrDefault(shard, 0);
            if (hasFaults() && from > 0 && random.nextInt(4) == 0) {
                from -= Math.min(from, 1 + random.nextInt(20));
                hits.add("batch again", PUBLISHER, "stream");
            }
            while (from < records.size()) {
                int size = hasFaults() ? 1 + random.nextInt(20) : 100;
                from += published(records.subList(from, Math.min(from + size, records.size())));
            }
            publishedUpTo.put(shard, from);
        }
    }

    private static int shardOf(ObjectNode record) {
        String partition = record.at("/dynamodb/Keys/pk/S").asText();
        return Math.floorMod(partition.hashCode(), STREAM_SHARDS);
    }

    /** The number of records at the beginning of a batch that are done. */
    private int published(List<ObjectNode> batch) {
        List<ObjectNode> records = new ArrayList<>(batch);
        if (!poison.isEmpty()) {
            records.add(random.nextInt(records.size() + 1), poison.remove(0));
        }
        String event = StreamRecords.event(records);
        if (hasFaults() && random.nextInt(10) == 0) {
            hits.add("two at once", PUBLISHER, "stream");
            Instance other = instances.get(PUBLISHER).get(0);
            CompletableFuture<Void> zombie = CompletableFuture.runAsync(() -> tolerant(() -> json(other, event)));
            int done = done(invoked(PUBLISHER, "stream", instance -> json(instance, event)), records);
            zombie.join();
            return done;
        }
        // After the last retry, Lambda sends the record to the dead-letter queue, and goes on with the next.
        return done(invoked(PUBLISHER, "stream", instance -> json(instance, event)), records);
    }

    private int done(Optional<String> answer, List<ObjectNode> records) {
        if (answer.isEmpty()) {
            return 0;
        }
        JsonNode failures = TestJson.read(answer.get()).path("batchItemFailures");
        if (failures.isEmpty()) {
            return records.size();
        }
        String failed = failures.get(0).path("itemIdentifier").asText();
        for (int i = 0; i < records.size(); i++) {
            if (records.get(i).at("/dynamodb/SequenceNumber").asText().equals(failed)) {
                return i;
            }
        }
        throw new AssertionError("no record " + failed);
    }

    /** Delivers the queue of invocations to the worker once. */
    void work() {
        QueueDefinition queue = queue("InvocationQueue");
        List<Received> received = new ArrayList<>(queues.receive(queue.url(), 10));
        if (received.isEmpty()) {
            return;
        }
        Collections.shuffle(received, random);
        List<TestSqs.Message> messages = received.stream()
                .map(one -> new TestSqs.Message(
                        queue.url(), one.message().id(), one.message().body(), one.receiptHandle()))
                .toList();
        Optional<String> answer = invoked(WORKER, "queue", instance -> json(instance, TestSqs.event(messages)));
        if (answer.isEmpty()) {
            return;
        }
        JsonNode failures = TestJson.read(answer.get()).path("batchItemFailures");
        boolean isLast = received.stream().anyMatch(one -> one.receives() > 1);
        if (hasFaults() && !isLast && random.nextInt(4) == 0) {
            hits.add("batch again", WORKER, "queue");
            return;
        }
        received.stream()
                .filter(one -> failures.findValuesAsText("itemIdentifier").stream()
                        .noneMatch(id -> id.equals(one.message().id())))
                .forEach(one -> queues.delete(queue.url(), one));
    }

    private QueueDefinition queue(String logicalId) {
        return system.stack().queues().stream()
                .filter(queue -> queue.logicalId().equals(logicalId))
                .findFirst()
                .orElseThrow();
    }

    /** The number of messages that a function could still receive once those in flight are visible again. */
    int messagesLeft() {
        clock().advance(Duration.ofMinutes(10));
        return Stream.of("InvocationQueue", "NotificationQueue", "ProbeQueue")
                .mapToInt(name -> queues.receive(queue(name).url(), 10).size())
                .sum();
    }

    @Override
    public void close() {
        troubles.close();
        system.close();
    }
}
