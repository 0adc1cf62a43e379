package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the rows of canaries, which are the agents of the self-check. The rows are in no index, and are neither listed nor counted. Thread-safe. */
public final class CanaryStore {

    private final Table pulses;

    public CanaryStore(Database database) {
        this.pulses = database.pulses();
    }

    /** Puts the row of a canary that has sent no heartbeat. */
    public void place(String canaryId, KeyHash credential, Instant now) {
        Map<String, AttributeValue> row = PulseItem.of(RegistrationRule.first(
                canaryId, HeartbeatConfig.DEFAULT, 0, Coordination.NONE, new Owner("", credential), now));
        row.remove(PulseItem.STATUS_SHARD);
        // A heartbeat never sets a time back. With this value, the canary's heartbeat stores the time of the clock
        // that receives it.
        row.put(PulseItem.LAST_HEARTBEAT, moment(Instant.EPOCH));
        row.put(PulseItem.CANARY, n(1));
        pulses.put(row);
    }

    /** Returns when a heartbeat of the canary arrived, by the clock that received it; empty if none is stored. */
    public Optional<Instant> heartbeatAt(String canaryId) {
        Map<String, AttributeValue> row = pulses.get(PulseItem.key(canaryId));
        return Values.number(row, PulseItem.HEARTBEAT_COUNT, 0) > 0
                ? Optional.of(Values.moment(row, PulseItem.LAST_HEARTBEAT, Instant.EPOCH))
                : Optional.empty();
    }

    /** Removes the row of a canary; does nothing if there is none. */
    public void remove(String canaryId) {
        pulses.delete(PulseItem.key(canaryId));
    }
}
