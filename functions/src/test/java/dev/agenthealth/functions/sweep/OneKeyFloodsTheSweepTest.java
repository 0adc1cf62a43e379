package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassRestartRule;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * One key creates as many items of a kind as it can, so that the sweep has work with them. The database of the sweep writes items one after the other,
 * each in some milliseconds. Another key's silent agent is marked as dead in time nevertheless.
 */
@Tag("SYS-02")
@Tag("R16-15")
@Tag(Attack.TAG)
class OneKeyFloodsTheSweepTest {

    private static final String FLOODING = "flooding-key";
    private static final String VICTIM = "victim-key";
    private static final int ITEMS = Attack.size(400, 8_000);
    private static final int HOLDERS = 20;
    private static final Duration WRITE = Duration.ofMillis(Attack.size(15, 5));
    private static final Duration TICK = Duration.ofSeconds(5);
    private static final int DEAD_AFTER = 40;

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final Sweep sweep = new Sweep(
            harness.wiring(
                    new TestDynamoDb(harness.system().dynamoDb()).before(this::takeTime),
                    Map.of("SWEEP_PERIOD_SECONDS", Long.toString(TICK.toSeconds()))),
            harness.publicApi());

    /** A kind of item: what is created before the other key's agent registers, and what makes the work due one pass before the agent's death. */
    private enum Flood {
        LEASES_OF_DEREGISTERED_AGENTS(
                test -> test.holdLeases(3_600),
                test -> test.holders(holder -> send(test.api()
                        .delete("/api/v1/agents/" + holder)
                        .key(FLOODING)
                        .send()))),
        LEASES_THAT_EXPIRE_TOGETHER(test -> test.holdLeases(DEAD_AFTER - 1), test -> {}),
        AGENTS_THAT_DIE_TOGETHER(test -> test.harness.fleetOf(FLOODING, "f-", ITEMS, true), test -> {}),
        AGENTS_THAT_REGISTER_TOGETHER(test -> {}, test -> test.harness.fleetOf(FLOODING, "f-", ITEMS, false)),
        AGENTS_THAT_RESTART_TOGETHER(
                test -> test.harness.fleetOf(FLOODING, "f-", MassRestartRule.MIN_RESTARTS, true), test -> {
                    for (int i = 0; i < MassRestartRule.MIN_RESTARTS; i++) {
                        test.register("f-" + i, ",\"replace\":true");
                    }
                }),
        AGENTS_THAT_ARE_WATCHED(
                test -> {
                    test.register(
                            "w-0",
                            """
                                    ,"endpoint":"https://agent.test/a2a","watch":{"interval_seconds":60,\
                                    "timeout_seconds":5}\
                                    """);
                    test.harness.copyRow(new TestAgent(test.harness.system(), "w-0"), "w-", ITEMS);
                },
                test -> {}),
        ROLES_AND_PLATFORMS(
                test -> {
                    for (int i = 0; i < ITEMS / 4; i++) {
                        test.register("r-" + i, ",\"role_id\":\"role-" + i + "\",\"platform\":\"platform-" + i + "\"");
                    }
                },
                test -> {}),
        SILENCES_AND_MAPPINGS(
                test -> {
                    test.register("s-0", "");
                    untilRefused(i -> test.api()
                            .put("/api/v1/silences/s-" + i)
                            .key(FLOODING)
                            .body("{\"for_seconds\":60}")
                            .send());
                    untilRefused(i -> test.api()
                            .put("/api/v1/telemetry/mappings")
                            .key(FLOODING)
                            .body("{\"service_name\":\"s-" + i + "\",\"agent_id\":\"s-0\"}")
                            .send());
                },
                test -> {});

        private final Consumer<OneKeyFloodsTheSweepTest> before;
        private final Consumer<OneKeyFloodsTheSweepTest> flood;

        Flood(Consumer<OneKeyFloodsTheSweepTest> before, Consumer<OneKeyFloodsTheSweepTest> flood) {
            this.before = before;
            this.flood = flood;
        }
    }

    private Instant nextPass = Instant.MIN;
    private volatile Instant victimWrittenAt = Instant.MIN;

    @ParameterizedTest
    @EnumSource(Flood.class)
    void an_agent_of_another_key_is_marked_as_dead_in_time(Flood kind) {
        Attack attack = Attack.begin("one-key-floods-the-sweep-"
                + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        harness.configure(1, 200_000, MassSilenceRule.DEFAULT);
        harness.system().addKey(FLOODING, Role.AGENT, Set.of());
        harness.passToTheNextMinute();
        pass();
        kind.before.accept(this);
        harness.system().clock().advanceSeconds(1);
        TestAgent victim = harness.fleetOf(VICTIM, "victim-", 1, true).get(0);
        Instant due = harness.now().plusSeconds(DEAD_AFTER);
        while (nextPass.isBefore(due.minus(TICK))) {
            pass();
        }
        kind.flood.accept(this);
        for (int i = 0; i < 20 && victim.pulse().status() != LifecycleStatus.DEAD; i++) {
            pass();
        }
        Instant dead = victimWrittenAt;
        assertThat(victim.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(dead)
                .as("detected")
                .isBeforeOrEqualTo(due.plus(TICK.multipliedBy(3).dividedBy(2)));
        while (harness.now().isBefore(due.plus(Duration.ofMinutes(2)))) {
            pass();
        }
        assertThat(liveLeases()).as("continued by the next passes").isZero();
        attack.figure("items", ITEMS)
                .figure("lateness_ms", Duration.between(due, dead).toMillis())
                .end();
    }

    /** Runs a pass when it is due, or at once if it is late. */
    private void pass() {
        if (harness.now().isBefore(nextPass)) {
            harness.system().clock().advance(Duration.between(harness.now(), nextPass));
        }
        nextPass = harness.now().plus(TICK);
        sweep.passes(null);
    }

    private TestApi api() {
        return harness.system().api();
    }

    private void holdLeases(int seconds) {
        holders(holder -> {
            register(holder, "");
            for (int i = 0; i < ITEMS / HOLDERS; i++) {
                send(api().post("/api/v1/intents/flood/leases")
                        .key(FLOODING)
                        .body("{\"agent_id\":\"" + holder + "\",\"scope\":\"" + holder + "-" + i
                                + "\",\"duration_seconds\":" + seconds + "}")
                        .send());
            }
        });
    }

    private void holders(Consumer<String> each) {
        for (int i = 0; i < HOLDERS; i++) {
            each.accept("holder-" + i);
        }
    }

    private void register(String agentId, String more) {
        send(api().post("/api/v1/agents")
                .key(FLOODING)
                .body("{\"agent_id\":\"" + agentId + "\"" + more + "}")
                .send());
    }

    private static void send(Response response) {
        assertThat(response.status()).as(response.text()).isBetween(200, 299);
    }

    private static void untilRefused(IntFunction<Response> request) {
        int status = 200;
        for (int i = 0; i < ITEMS && status < 300; i++) {
            status = request.apply(i).status();
        }
        assertThat(status).isIn(200, 201, 409);
    }

    private long liveLeases() {
        return harness.items(TestTables.REGISTRY, item -> SweepHarness.text(item, "fp")
                        .startsWith("X#"))
                .size();
    }

    /** The database writes items one after the other. */
    private void takeTime(DynamoDbRequest request) {
        int items = 0;
        if (request instanceof TransactWriteItemsRequest transaction) {
            items = transaction.transactItems().size();
            if (transaction.toString().contains("victim-0")) {
                victimWrittenAt = harness.now();
            }
        } else if (request instanceof BatchWriteItemRequest batch) {
            items = batch.requestItems().values().stream().mapToInt(List::size).sum();
        } else if (request instanceof PutItemRequest
                || request instanceof UpdateItemRequest
                || request instanceof DeleteItemRequest) {
            items = 1;
        }
        harness.system().clock().advance(WRITE.multipliedBy(items));
    }
}
