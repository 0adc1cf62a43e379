package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.seconds;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.UpdateResult;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores push configurations, by which the gateway sends notifications of tasks, and notifications that are not delivered yet. A
 * configuration is found by its own id. Once its task is known, it is also found by the task and the key. Thread-safe.
 */
public final class PushStore {

    /** The maximum number of configurations of one key for one task. */
    public static final int MAX_OF_TASK = 10;

    /** The maximum number of configurations that may replace each other before an address no longer leads to the last configuration. */
    static final int MAX_SUCCESSORS = 10;

    /** The time for which a key may use a task after the agent last returned the task. */
    private static final Duration RETENTION = TaskAccessStore.RETENTION;

    /** The time for which a configuration without a known task, or a notification, is kept. */
    private static final Duration SHORT_RETENTION = Duration.ofDays(1);

    private static final Attribute<String> KEY = new Attribute<>("key", TEXT);
    private static final Attribute<String> CONFIG = new Attribute<>("cfg", TEXT);
    private static final Attribute<String> TASK = new Attribute<>("task", TEXT);
    private static final Attribute<A2aVersion> VERSION =
            new Attribute<>("a2a", AttributeType.wireName(A2aVersion.V1_0));
    private static final Attribute<String> SECRET = new Attribute<>("sha", TEXT);
    private static final Attribute<byte[]> SEALED = new Attribute<>("sealed", BYTES);
    private static final Attribute<Instant> BEGUN_AT = new Attribute<>("at", MOMENT);
    private static final Attribute<String> REPLACES = new Attribute<>("rep", TEXT);

    /** The id of the configuration to which an address leads instead of its own configuration. */
    private static final Attribute<String> NEXT = new Attribute<>("next", TEXT);

    private static final Attribute<Integer> RECEIVED = new Attribute<>("n", INTEGER);
    private static final Attribute<String> JSON = new Attribute<>("json", TEXT);
    private static final Attribute<Integer> ATTEMPTS = new Attribute<>("t", INTEGER);

    /** The ids that keys give their configurations, with the ids of the gateway. */
    private static final Attribute<Map<String, String>> IDS = new Attribute<>("ids", TEXT.byName());

    private final Database database;
    private final Table registry;

    public PushStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * A push configuration.
     *
     * @param id an id that cannot be guessed, without full stops
     * @param subscriber the caller that is notified
     * @param taskId the task; empty until the agent's answer or its first notification names it
     * @param secret hash of the secret that the agent has to send with notifications
     * @param begunAt the time since which notifications are accepted
     * @param replaces the id of the configuration that had the same name of the same key when this one began; empty if there was
     *     none
     */
    public record Push(
            String agentId,
            String id,
            Subscriber subscriber,
            String taskId,
            KeyHash secret,
            Instant begunAt,
            String replaces) {

        private String nameIn(String task) {
            return configId().isEmpty() ? task : configId();
        }

        public String keyId() {
            return subscriber.keyId();
        }

        public String configId() {
            return subscriber.configId();
        }

        private Push withSecret(KeyHash other) {
            return new Push(agentId, id, subscriber, taskId, other, begunAt, replaces);
        }
    }

    /**
     * A caller that is notified about a task.
     *
     * @param keyId the key of the caller
     * @param configId the id that the caller gave to the configuration; empty for the id of the task
     * @param version the A2A version of notifications
     * @param sealed target and credentials of the notifications, encrypted
     */
    public record Subscriber(String keyId, String configId, A2aVersion version, byte[] sealed) {}

    /** Stores a new configuration. Notifications are accepted by it from now on. */
    public void begin(Push push) {
        Map<String, AttributeValue> item = Attributes.item(
                ItemKind.PUSH.key(push.agentId(), push.id()), database.now().plus(SHORT_RETENTION));
        KEY.put(item, push.keyId());
        CONFIG.put(item, push.configId());
        TASK.put(item, push.taskId());
        VERSION.put(item, push.subscriber().version());
        SECRET.put(item, push.secret().hex());
        SEALED.put(item, push.subscriber().sealed());
        BEGUN_AT.put(item, push.begunAt());
        REPLACES.put(item, push.replaces());
        registry.put(item);
    }

    /** Returns a configuration by its own id, strongly consistent; empty if it has expired or was removed. */
    public Optional<Push> find(String agentId, String id) {
        return database.findUnexpired(ItemKind.PUSH.key(agentId, id))
                .filter(item -> !NEXT.isIn(item))
                .map(item -> read(agentId, item));
    }

    /**
     * Returns the configuration to which an address of the gateway leads, with the secret of that address. It is the address's own
     * configuration, or its replacement if both were set at the same time, because the agent may have either address. Empty as for
     * {@link #find}, and also after more than {@value #MAX_SUCCESSORS} replacements.
     */
    public Optional<Push> at(String agentId, String id) {
        Optional<Map<String, AttributeValue>> own = database.findUnexpired(ItemKind.PUSH.key(agentId, id));
        Optional<Map<String, AttributeValue>> last = own;
        for (int i = 0; i < MAX_SUCCESSORS && last.filter(NEXT::isIn).isPresent(); i++) {
            last = database.findUnexpired(ItemKind.PUSH.key(agentId, NEXT.of(last.get())));
        }
        return last.filter(item -> !NEXT.isIn(item))
                .map(item -> read(agentId, item).withSecret(KeyHash.ofHex(SECRET.of(own.get()))));
    }

    /** Removes a configuration that belongs to no task. */
    public void remove(String agentId, String id) {
        registry.delete(ItemKind.PUSH.key(agentId, id), Condition.absent(NEXT.name()));
    }

    /** Returns the configurations of a key for a task, by the ids that the key gave them, strongly consistent. */
    public Map<String, Push> ofTask(String agentId, String taskId, String keyId) {
        Map<String, String> ids = IDS.of(ids(agentId, taskId, keyId));
        Map<String, Push> found = new TreeMap<>();
        ids.forEach((name, id) -> find(agentId, id).ifPresent(push -> found.put(name, push)));
        return found;
    }

    /**
     * Assigns a configuration to a task. It replaces the key's configuration of the same name.
     *
     * @return {@code false} if the configuration is gone or belongs to another task. Also {@code false}, and the configuration is
     *     removed, if the key has {@value #MAX_OF_TASK} other configurations for the task
     */
    public boolean bind(Push push, String taskId) {
        return OptimisticUpdates.untilPresent(() -> {
            Optional<Push> stored = find(push.agentId(), push.id());
            boolean other = stored.filter(
                            found -> found.taskId().isEmpty() || found.taskId().equals(taskId))
                    .isEmpty();
            if (other) {
                return Optional.of(false);
            }
            Map<String, AttributeValue> seen = ids(push.agentId(), taskId, push.keyId());
            Map<String, String> ids = new TreeMap<>(IDS.of(seen));
            String before = ids.put(push.nameIn(taskId), push.id());
            if (push.id().equals(before)) {
                return Optional.of(true);
            }
            if (ids.size() > MAX_OF_TASK) {
                // The list may still contain configurations that expired.
                ids.values().removeIf(id -> find(push.agentId(), id).isEmpty());
            }
            if (ids.size() > MAX_OF_TASK) {
                remove(push.agentId(), push.id());
                return Optional.of(false);
            }
            Instant expiry = database.now().plus(RETENTION);
            Transaction transaction = database.transaction()
                    .update(
                            registry,
                            Update.of(ItemKind.PUSH.key(push.agentId(), push.id()))
                                    .set(TASK, taskId)
                                    .set(Attributes.EXPIRES, seconds(expiry))
                                    .when(TASK.is(stored.get().taskId())));
            put(transaction, push.agentId(), taskId, push.keyId(), seen, ids);
            if (before != null) {
                replace(transaction, before, stored.get(), expiry);
            }
            return transaction.commit() ? Optional.of(true) : Optional.empty();
        });
    }

    /** Removes a configuration. If it was set at the same time as its successor, its address then leads to the successor. */
    private void replace(Transaction transaction, String id, Push successor, Instant expiry) {
        Map<String, AttributeValue> key = ItemKind.PUSH.key(successor.agentId(), id);
        Optional<Push> meanwhile = id.equals(successor.replaces()) ? Optional.empty() : find(successor.agentId(), id);
        meanwhile.ifPresentOrElse(
                push -> {
                    Map<String, AttributeValue> item = Attributes.item(key, expiry);
                    SECRET.put(item, push.secret().hex());
                    transaction.put(registry, NEXT.put(item, successor.id()));
                },
                () -> transaction.delete(registry, key));
    }

    /** Removes a configuration of a task; does nothing if there is none. */
    public void remove(Push push, String taskId) {
        OptimisticUpdates.untilDone(() -> {
            Map<String, AttributeValue> seen = ids(push.agentId(), taskId, push.keyId());
            Map<String, String> ids = new TreeMap<>(IDS.of(seen));
            if (!ids.remove(push.nameIn(taskId), push.id())) {
                remove(push.agentId(), push.id());
                return true;
            }
            Transaction transaction =
                    database.transaction().delete(registry, ItemKind.PUSH.key(push.agentId(), push.id()));
            put(transaction, push.agentId(), taskId, push.keyId(), seen, ids);
            return transaction.commit();
        });
    }

    /** Returns the unexpired list of the configurations of a key for a task; empty if there is none. */
    private Map<String, AttributeValue> ids(String agentId, String taskId, String keyId) {
        return database.findUnexpired(place(agentId, taskId, keyId)).orElse(Map.of());
    }

    private void put(
            Transaction transaction,
            String agentId,
            String taskId,
            String keyId,
            Map<String, AttributeValue> seen,
            Map<String, String> ids) {
        Map<String, AttributeValue> key = place(agentId, taskId, keyId);
        Condition asSeen = seen.isEmpty() ? Condition.absentOrExpired(database.now()) : IDS.is(IDS.of(seen));
        if (ids.isEmpty()) {
            transaction.delete(registry, key, asSeen);
        } else {
            transaction.put(
                    registry, IDS.put(Attributes.item(key, database.now().plus(RETENTION)), ids), asSeen);
        }
    }

    /**
     * Counts a notification.
     *
     * @param max the maximum number of notifications
     * @return the number of the notification, from 1; empty if the maximum is reached, or the configuration is gone
     */
    public OptionalInt count(Push push, int max) {
        UpdateResult result = registry.updateAndGet(Update.of(ItemKind.PUSH.key(push.agentId(), push.id()))
                .add(RECEIVED.name(), n(1))
                .when(Condition.exists(KEY.name()))
                .when(Condition.absent(RECEIVED.name()).or(Condition.lessThan(RECEIVED.name(), n(max)))));
        return result.applied() ? OptionalInt.of(RECEIVED.of(result.item())) : OptionalInt.empty();
    }

    /** Stores a notification until it is delivered. */
    public void put(Push push, int number, String json) {
        Map<String, AttributeValue> item = Attributes.item(
                notification(push.agentId(), push.id(), number), database.now().plus(SHORT_RETENTION));
        registry.put(JSON.put(item, json));
    }

    /**
     * A notification that has to be delivered.
     *
     * @param attempt the number of delivery attempts, including this one
     */
    public record Pushed(String json, int attempt) {}

    /** Counts an attempt to deliver a notification, and returns the notification; empty if it was delivered, or has expired. */
    public Optional<Pushed> attempt(String agentId, String id, int number) {
        UpdateResult result = registry.updateAndGet(Update.of(notification(agentId, id, number))
                .add(ATTEMPTS.name(), n(1))
                .when(Condition.exists(JSON.name())));
        return result.applied() && !Attributes.isExpired(result.item(), database.now())
                ? Optional.of(new Pushed(JSON.of(result.item()), ATTEMPTS.of(result.item())))
                : Optional.empty();
    }

    /** Removes a notification that was delivered or abandoned. */
    public void removeNotification(String agentId, String id, int number) {
        registry.delete(notification(agentId, id, number));
    }

    private static Map<String, AttributeValue> notification(String agentId, String id, int number) {
        return ItemKind.PUSHED.key(agentId, id, Attributes.padded(number, 6));
    }

    private static Map<String, AttributeValue> place(String agentId, String taskId, String keyId) {
        return ItemKind.PUSHES_OF_TASK.key(agentId, HexFormat.of().formatHex(Sha256.of(List.of(taskId, keyId))));
    }

    private static Push read(String agentId, Map<String, AttributeValue> item) {
        return new Push(
                agentId,
                ItemKind.PUSH.afterPrefix(item),
                new Subscriber(KEY.of(item), CONFIG.of(item), VERSION.of(item), SEALED.of(item)),
                TASK.of(item),
                KeyHash.ofHex(SECRET.of(item)),
                BEGUN_AT.of(item),
                REPLACES.of(item));
    }
}
