package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;

import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.gateway.CallerErrors;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The failures of agents that their callers may have caused: one item for each agent. Thread-safe. */
public final class CallerErrorStore {

    private static final Attribute<Long> REVISION = new Attribute<>("rev", NUMBER);

    /** Followed by the owner. */
    private static final String OWNER = "o#";

    private final Database database;

    public CallerErrorStore(Database database) {
        this.database = database;
    }

    /**
     * Adds a failure and returns all with it.
     *
     * @param owner of the caller's key
     * @param window the time for which it is kept
     * @throws dev.agenthealth.functions.wiring.StorageBusyException where too many are added at once
     */
    public CallerErrors add(String agentId, String owner, Duration window) {
        return Attempts.untilPresent(() -> addOnce(ItemKind.CALLER_ERRORS.key(agentId), owner, window));
    }

    private Optional<CallerErrors> addOnce(Map<String, AttributeValue> key, String owner, Duration window) {
        Instant now = database.now();
        Map<String, AttributeValue> seen = database.findUnexpired(key).orElse(Map.of());
        CallerErrors errors = read(seen).met(owner, now, window);
        Map<String, AttributeValue> item = Attributes.item(key, now.plus(window));
        REVISION.put(item, REVISION.of(seen) + 1);
        errors.byOwner().forEach((name, moments) -> moments(name).put(item, moments));
        Condition unchanged = seen.isEmpty() ? Condition.absentOrExpired(now) : REVISION.is(REVISION.of(seen));
        return database.registry().put(item, unchanged) ? Optional.of(errors) : Optional.empty();
    }

    private static CallerErrors read(Map<String, AttributeValue> item) {
        Map<String, List<Instant>> byOwner = new HashMap<>();
        item.keySet().stream()
                .filter(name -> name.startsWith(OWNER))
                .map(name -> name.substring(OWNER.length()))
                .forEach(owner -> byOwner.put(owner, moments(owner).of(item)));
        return new CallerErrors(byOwner);
    }

    private static Attribute<List<Instant>> moments(String owner) {
        return new Attribute<>(OWNER + owner, MOMENT.listed());
    }
}
