package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.model.gateway.CallerOutcomes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the outcomes of agents that their callers may have caused, failures and successes, in one item for each agent. Thread-safe. */
public final class CallerOutcomeStore {

    private static final Attribute<Long> REVISION = new Attribute<>("rev", NUMBER);

    /** The prefix of attributes with failures; the owner follows. */
    private static final String FAILURES_OF = "o#";

    /** The prefix of attributes with successes; the owner follows. */
    private static final String SUCCESSES_OF = "s#";

    private final Database database;

    public CallerOutcomeStore(Database database) {
        this.database = database;
    }

    /**
     * Adds a failure, and returns whether it is evidence.
     *
     * @param owner the owner of the caller's key
     * @param window the time for which the failure is kept
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if too many are added at once
     */
    public boolean addFailure(String agentId, String owner, Duration window) {
        return OptimisticUpdates.untilPresent(() -> {
            Map<String, AttributeValue> seen = find(agentId);
            CallerOutcomes failures = read(seen, FAILURES_OF).met(owner, database.now(), window);
            return put(agentId, seen, failures, read(seen, SUCCESSES_OF), window)
                    ? Optional.of(failures.areEvidence(owner))
                    : Optional.empty();
        });
    }

    /**
     * Adds a success as long as its owner has not reached its maximum number of successes, and returns whether it is evidence. Above the
     * maximum the method only reads.
     *
     * @param owner the owner of the caller's key
     * @param window the time for which failures are kept
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if too many are added at once
     */
    public boolean addSuccess(String agentId, String owner, Duration window) {
        return OptimisticUpdates.untilPresent(() -> {
            Instant now = database.now();
            Map<String, AttributeValue> seen = find(agentId);
            CallerOutcomes successes = read(seen, SUCCESSES_OF);
            if (!successes.hasRoom(owner, now)) {
                return Optional.of(successes.confirmSuccesses(now));
            }
            CallerOutcomes next = successes.met(owner, now, CallerOutcomes.SUCCESS_WINDOW);
            return put(agentId, seen, read(seen, FAILURES_OF), next, window) ? Optional.of(true) : Optional.empty();
        });
    }

    private Map<String, AttributeValue> find(String agentId) {
        return database.findUnexpired(ItemKind.CALLER_OUTCOMES.key(agentId)).orElse(Map.of());
    }

    private boolean put(
            String agentId,
            Map<String, AttributeValue> seen,
            CallerOutcomes failures,
            CallerOutcomes successes,
            Duration window) {
        Instant now = database.now();
        Duration kept = window.compareTo(CallerOutcomes.SUCCESS_WINDOW) > 0 ? window : CallerOutcomes.SUCCESS_WINDOW;
        Map<String, AttributeValue> item = Attributes.item(ItemKind.CALLER_OUTCOMES.key(agentId), now.plus(kept));
        REVISION.put(item, REVISION.of(seen) + 1);
        failures.byOwner()
                .forEach((owner, moments) -> moments(FAILURES_OF + owner).put(item, moments));
        successes.byOwner().forEach((owner, moments) -> moments(SUCCESSES_OF + owner)
                .put(item, moments));
        Condition unchanged = seen.isEmpty() ? Condition.absentOrExpired(now) : REVISION.is(REVISION.of(seen));
        return database.registry().put(item, unchanged);
    }

    private static CallerOutcomes read(Map<String, AttributeValue> item, String prefix) {
        Map<String, List<Instant>> byOwner = new HashMap<>();
        item.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .forEach(name -> byOwner.put(
                        name.substring(prefix.length()), moments(name).of(item)));
        return new CallerOutcomes(byOwner);
    }

    private static Attribute<List<Instant>> moments(String name) {
        return new Attribute<>(name, MOMENT.listed());
    }
}
