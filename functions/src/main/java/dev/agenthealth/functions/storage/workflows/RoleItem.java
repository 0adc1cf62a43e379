package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.model.lifecycle.Drain;
import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.Workload;
import dev.agenthealth.model.workflow.PoolSize;
import dev.agenthealth.model.workflow.RoleDefaults;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a workflow declares for a role, as attributes of an item or of a map inside one. This class owns their names. */
final class RoleItem {

    /** The role. */
    static final String ROLE = "r";

    private static final String CAPABILITIES = "cap";
    private static final String MAX_TASKS = "m";

    private static final String INTERVAL = "i";
    private static final String UNHEALTHY_AFTER = "u";
    private static final String DEAD_AFTER = "d";
    private static final String DRAIN_TIMEOUT = "dt";
    private static final String MINIMUM = "min";
    private static final String MAXIMUM = "max";

    private RoleItem() {}

    static Map<String, AttributeValue> of(RoleDefaults role) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(ROLE, s(role.roleId()));
        item.put(CAPABILITIES, list(role.capabilities()));
        putNumber(item, MAX_TASKS, role.maxConcurrentTasks(), Workload.NOT_DECLARED);
        item.put(INTERVAL, n(role.heartbeat().intervalSeconds()));
        item.put(UNHEALTHY_AFTER, n(role.heartbeat().unhealthyAfterSeconds()));
        item.put(DEAD_AFTER, n(role.heartbeat().deadAfterSeconds()));
        item.put(DRAIN_TIMEOUT, n(role.drainTimeout().toSeconds()));
        item.put(MINIMUM, n(role.pool().minimum()));
        item.put(MAXIMUM, n(role.pool().maximum()));
        return item;
    }

    static RoleDefaults read(Map<String, AttributeValue> item) {
        return new RoleDefaults(
                text(item, ROLE),
                texts(item, CAPABILITIES),
                (int) number(item, MAX_TASKS, Workload.NOT_DECLARED),
                new HeartbeatConfig(
                        (int) number(item, INTERVAL, HeartbeatConfig.DEFAULT.intervalSeconds()),
                        (int) number(item, UNHEALTHY_AFTER, HeartbeatConfig.DEFAULT.unhealthyAfterSeconds()),
                        (int) number(item, DEAD_AFTER, HeartbeatConfig.DEFAULT.deadAfterSeconds())),
                Duration.ofSeconds(number(item, DRAIN_TIMEOUT, Drain.DEFAULT_TIMEOUT.toSeconds())),
                new PoolSize((int) number(item, MINIMUM, PoolSize.ANY.minimum()), (int)
                        number(item, MAXIMUM, PoolSize.NO_MAXIMUM)));
    }
}
