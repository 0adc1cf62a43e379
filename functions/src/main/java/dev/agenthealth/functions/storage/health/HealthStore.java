package dev.agenthealth.functions.storage.health;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the health of agents as last computed. Thread-safe. */
public final class HealthStore {

    private final Database database;

    public HealthStore(Database database) {
        this.database = database;
    }

    /**
     * The stored health of an agent.
     *
     * @param health the last computed health; empty if it was never computed
     * @param dueSince the time since which that health is due to be computed again, possibly in the future; {@link Instant#MAX} if
     *     it is valid until something happens
     * @param pulse the agent's pulse; empty for an archived or unknown agent
     * @param watchSeconds time between two probes of the agent, or {@link dev.agenthealth.model.registry.profile.Watch#NOT_WATCHED}
     */
    public record StoredHealth(
            Optional<AgentHealth> health, Instant dueSince, Optional<Pulse> pulse, int watchSeconds) {}

    /**
     * Returns the stored health of an agent. Costs one request.
     *
     * @param fresh whether the read is strongly consistent; otherwise it costs half as much and may be about a second old
     * @return empty if there is neither a health nor a pulse
     */
    public Optional<StoredHealth> find(String agentId, boolean fresh) {
        Database.Items items = database.get(PulseItem.key(agentId), List.of(ItemKind.HEALTH.key(agentId)), fresh);
        Map<String, AttributeValue> item = items.of(ItemKind.HEALTH);
        Optional<AgentHealth> health = health(agentId, item);
        Optional<Pulse> pulse = Optional.of(items.row())
                .filter(row -> !row.isEmpty() && !PulseItem.isCanary(row))
                .map(PulseItem::read);
        Instant dueSince = health.map(computed -> HealthItem.dueSince(item)).orElse(Instant.MAX);
        return health.isEmpty() && pulse.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredHealth(health, dueSince, pulse, PulseItem.watchSeconds(items.row())));
    }

    /**
     * Returns the registry's own health. Costs one request, which costs half of {@link #find}, because the registry has no pulse.
     *
     * @param fresh as for {@link #find}
     * @return empty if it was never computed
     */
    public Optional<AgentHealth> ofRegistry(boolean fresh) {
        return health(RegistryHealth.ID, database.registry().get(ItemKind.HEALTH.key(RegistryHealth.ID), fresh));
    }

    private Optional<AgentHealth> health(String agentId, Map<String, AttributeValue> item) {
        return HealthItem.holdsHealth(item) && !Attributes.isExpired(item, database.now())
                ? Optional.of(HealthItem.read(agentId, item))
                : Optional.empty();
    }

    /**
     * Returns the history of an agent, oldest first. Each hour in which the agent's health was computed has a point. Each change of the
     * health status, the lifecycle status or the state of the score also has a point.
     *
     * @param from a moment in the first hour
     * @param to a moment in the last hour
     */
    public List<HistoryPoint> history(String agentId, Instant from, Instant to) {
        Query query = Query.partition(ItemKind.HISTORY_POINT.partition(agentId))
                .between(HistoryItem.firstOfHour(from), HistoryItem.afterHour(to));
        return database.registry()
                .all(query)
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .map(HistoryItem::read)
                .sorted(Comparator.comparing(HistoryPoint::at))
                .toList();
    }
}
