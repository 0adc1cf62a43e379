package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** The registry during faults of DynamoDB: every change is made once or not at all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistryFaultsTest {

    /** More failures than any retry limit. */
    private static final int LASTING = 1_000;

    private TestSystem system;
    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @AfterEach
    void clearFaults() {
        system.faults().clear();
    }

    @AfterAll
    void close() {
        system.close();
    }

    /** All operations that write. */
    private enum Change {
        REGISTRATION(201, agent -> {}, (client, agent) -> client.register("{\"agent_id\":\"" + agent.id() + "\"}")),
        RE_REGISTRATION(
                201, Change::becomeDead, (client, agent) -> client.register("{\"agent_id\":\"" + agent.id() + "\"}")),
        REGISTRATION_OF_ARCHIVED(
                201,
                Change::becomeArchived,
                (client, agent) -> client.register("{\"agent_id\":\"" + agent.id() + "\"}")),
        DRAIN(
                200,
                Change::register,
                (client, agent) -> client.patchStatus(agent.id(), "1", "{\"status\":\"draining\"}")),
        DEREGISTRATION(204, Change::register, (client, agent) -> client.delete(TestSystem.AGENT_KEY, agent.id())),
        DEREGISTRATION_OF_ARCHIVED(
                204, Change::becomeArchived, (client, agent) -> client.delete(TestSystem.AGENT_KEY, agent.id())),
        PROFILE_CHANGE(
                200,
                Change::register,
                (client, agent) -> client.patchProfile(agent.id(), "1", "{\"name\":\"n\",\"capabilities\":[\"c\"]}"));

        private final int status;
        private final Consumer<TestAgent> before;
        private final BiFunction<RegistryClient, TestAgent, Response> operation;

        Change(int status, Consumer<TestAgent> before, BiFunction<RegistryClient, TestAgent, Response> operation) {
            this.status = status;
            this.before = before;
            this.operation = operation;
        }

        private static void register(TestAgent agent) {
            assertThat(agent.register("").status()).isEqualTo(201);
        }

        private static void becomeDead(TestAgent agent) {
            register(agent);
            agent.becomeDead();
            agent.finishCleanUp();
        }

        private static void becomeArchived(TestAgent agent) {
            becomeDead(agent);
            assertThat(agent.archive()).isTrue();
        }
    }

    /** Temporary faults. */
    private enum Fault {
        OTHER_TRANSACTIONS(faults -> repeat(3, () -> faults.cancelByConflict(TransactWriteItemsRequest.class))),
        CONFLICT(faults -> faults.conflictOn(TransactWriteItemsRequest.class)),
        THROTTLING(faults -> repeat(3, () -> faults.throttleOn(TransactWriteItemsRequest.class))),
        LOST_ANSWER(faults -> faults.loseAnswerOf(TransactWriteItemsRequest.class)),
        LOST_ANSWERS(faults -> repeat(3, () -> faults.loseAnswerOf(TransactWriteItemsRequest.class))),
        LOST_ANSWER_THEN_THROTTLING(faults -> {
            faults.loseAnswerOf(TransactWriteItemsRequest.class);
            faults.throttleOn(TransactWriteItemsRequest.class);
            faults.cancelByConflict(TransactWriteItemsRequest.class);
        }),
        THROTTLED_READS(faults -> repeat(3, () -> faults.throttleOn(BatchGetItemRequest.class)));

        private final Consumer<TestDynamoDb> injection;

        Fault(Consumer<TestDynamoDb> injection) {
            this.injection = injection;
        }

        private static void repeat(int times, Runnable fault) {
            for (int i = 0; i < times; i++) {
                fault.run();
            }
        }
    }

    private static Stream<Arguments> everyChangeWithEveryFault() {
        return Arrays.stream(Change.values())
                .flatMap(change -> Arrays.stream(Fault.values()).map(fault -> Arguments.of(change, fault)));
    }

    @ParameterizedTest
    @MethodSource("everyChangeWithEveryFault")
    @Tag("R16-03")
    void a_change_succeeds_exactly_once_despite_temporary_faults(Change change, Fault fault) {
        TestAgent agent = new TestAgent(system, client.newId());
        change.before.accept(agent);
        long events = change == Change.REGISTRATION ? 0 : agent.pulse().sequence();
        fault.injection.accept(system.faults());
        Response response = change.operation.apply(client, agent);
        assertThat(response.status()).as(response.text()).isEqualTo(change.status);
        system.faults().clear();
        assertThat(agent.pulse().sequence()).isEqualTo(change == Change.PROFILE_CHANGE ? events : events + 1);
        if (change == Change.PROFILE_CHANGE) {
            assertThat(agent.pulse().version()).isEqualTo(2);
            assertThat(client.listed(Map.of("capabilities", "c", "limit", "1000")))
                    .contains(agent.id());
            assertThat(agent.events()).hasSize(1);
        } else {
            agent.assertHistoryIsWhole(change + " with " + fault);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("R16-03")
    void lasting_faults_get_503_and_change_nothing(Change change) {
        for (Consumer<TestDynamoDb> lasting : List.<Consumer<TestDynamoDb>>of(
                faults -> faults.cancelByConflict(TransactWriteItemsRequest.class),
                faults -> faults.throttleOn(TransactWriteItemsRequest.class),
                faults -> faults.throttleOn(BatchGetItemRequest.class))) {
            TestAgent agent = new TestAgent(system, client.newId());
            change.before.accept(agent);
            TableContents before = TableContents.of(system.tables());
            for (int i = 0; i < LASTING; i++) {
                lasting.accept(system.faults());
            }
            assertBusy(change.operation.apply(client, agent));
            system.faults().clear();
            assertThat(TableContents.of(system.tables())).isEqualTo(before);
            assertThat(change.operation.apply(client, agent).status())
                    .as("repeated later")
                    .isEqualTo(change.status);
        }
    }

    @Test
    @Tag("R16-23")
    void reads_during_lasting_faults_get_503() {
        TestAgent agent = client.newAgent("");
        system.clock().advanceSeconds(60);
        for (Class<? extends DynamoDbRequest> request :
                List.of(GetItemRequest.class, BatchGetItemRequest.class, QueryRequest.class)) {
            for (String path : List.of(
                    "/api/v1/agents",
                    "/api/v1/agents/" + agent.id(),
                    "/api/v1/agents/" + agent.id() + "/events",
                    "/api/v1/events")) {
                // The key is looked up only if it is not cached.
                system.clock().advanceSeconds(31);
                boolean isUsed = uses(path, request.getSimpleName().replace("Request", ""));
                system.clock().advanceSeconds(31);
                for (int i = 0; i < LASTING; i++) {
                    system.faults().throttleOn(request);
                }
                Response response = client.read(TestSystem.COORDINATOR_KEY, path, Map.of());
                system.faults().clear();
                if (isUsed) {
                    assertBusy(response);
                } else {
                    assertThat(response.status()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    @Tag("R16-22")
    void partial_responses_of_the_storage_are_completed() {
        TestAgent first = client.newAgent(
                """
                        ,"role_id":"partial","capabilities":["p1","p2"],"metadata":{"a":1}\
                        """);
        for (int i = 0; i < 6; i++) {
            client.newAgent(",\"role_id\":\"partial\",\"capabilities\":[\"p" + (1 + i % 2) + "\"]");
        }
        first.deregister();
        first.register("");
        system.clock().advanceSeconds(6);
        RegistryClient partial =
                new RegistryClient(system, system.apiThrough(new TestDynamoDb(system.dynamoDb()).answerInPart(1)));
        assertThat(partial.get(first.id()).json())
                .isEqualTo(client.get(first.id()).json());
        for (Map<String, String> query : List.of(
                Map.of("role_id", "partial"),
                Map.of("capabilities", "p1,p2"),
                Map.of("status", "active", "limit", "3"))) {
            assertThat(partial.listed(query)).containsExactlyInAnyOrderElementsOf(client.listed(query));
        }
        for (String path : List.of("/api/v1/events", "/api/v1/agents/" + first.id() + "/events")) {
            assertThat(events(partial, path)).isNotEmpty().isEqualTo(events(client, path));
        }
    }

    private static List<String> events(RegistryClient client, String path) {
        return client.pages(TestSystem.ADMINISTRATOR_KEY, path, Map.of()).stream()
                .flatMap(page -> page.get("events").findValuesAsText("event_id").stream())
                .toList();
    }

    private boolean uses(String path, String operation) {
        system.meter().reset();
        client.read(TestSystem.COORDINATOR_KEY, path, Map.of());
        return system.meter().operations().contains(operation);
    }

    private static void assertBusy(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(503);
        assertThat(response.header("Retry-After")).isEqualTo("1");
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.json().get("error").textValue()).isEqualTo("temporarily_unavailable");
        assertThat(response.text()).doesNotContain("Exception", "Table", "transaction");
    }
}
