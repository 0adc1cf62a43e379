package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Measures the write units of real registrations of agents with one key, one capability and one role. */
public final class RegistrationLoads {

    private static final int PROBES = 64;

    private final List<PartitionLoad> loads = new ArrayList<>();
    private final TestSystem system;
    private final TestApi api;

    public RegistrationLoads(TestSystem system) {
        this.system = system;
        this.api = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest transaction) {
                loads.add(PartitionLoad.of(transaction));
            }
        }));
    }

    /** Returns those of first registrations. */
    public List<PartitionLoad> first(String name) {
        return registered(name, "");
    }

    /** Returns those of registrations of agents that are registered already. */
    public List<PartitionLoad> restarts(String name) {
        first(name);
        return registered(name, ",\"replace\":true");
    }

    private List<PartitionLoad> registered(String name, String more) {
        loads.clear();
        for (int i = 0; i < PROBES; i++) {
            assertThat(new TestAgent(system, name + "-" + i).register(api, more).status())
                    .isEqualTo(201);
        }
        return List.copyOf(loads);
    }
}
