package dev.agenthealth.functions.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.Dismissals;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LifecycleTransitions;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An agent of a test: sends requests to the API and reads the stored state of the agent. */
public final class TestAgent {

    /** The body of a plain heartbeat; the placeholder is the client's timestamp. */
    public static final String HEARTBEAT_BODY = "{\"status\":\"active\",\"client_timestamp\":\"%s\"}";

    private static final Instant NO_GRACE = Instant.EPOCH;

    private final TestSystem system;
    private final Database database;
    private final String id;

    public TestAgent(TestSystem system, String id) {
        this.system = system;
        this.database = system.database();
        this.id = id;
    }

    /** Registers an agent with {@link TestSystem#AGENT_KEY} and default thresholds. */
    public static TestAgent registered(TestSystem system, String id) {
        TestAgent agent = new TestAgent(system, id);
        assertThat(agent.register("").status()).isEqualTo(201);
        return agent;
    }

    public String id() {
        return id;
    }

    public String heartbeatPath() {
        return "/api/v1/agents/" + id + "/heartbeat";
    }

    /** Registers. {@code more} begins with a comma or is empty. */
    public TestApi.Response register(String more) {
        return register(system.api(), more);
    }

    /** Registers through another API. */
    public TestApi.Response register(TestApi api, String more) {
        return api.post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + id + "\",\"role_id\":\"worker\",\"capabilities\":[\"test\"]" + more + "}")
                .send();
    }

    /** Sends a heartbeat with status {@code active} and the current time. */
    public TestApi.Response sendHeartbeat() {
        return sendHeartbeat(system.api());
    }

    /** Sends the same heartbeat through another API. */
    public TestApi.Response sendHeartbeat(TestApi api) {
        return send(api, HEARTBEAT_BODY.formatted(system.clock().instant()));
    }

    /** Sends a heartbeat with the current time. {@code more} begins with a comma or is empty. */
    public TestApi.Response sendHeartbeat(String status, String more) {
        return sendHeartbeat(system.api(), status, more);
    }

    /** Sends the same heartbeat through another API. */
    public TestApi.Response sendHeartbeat(TestApi api, String status, String more) {
        return send(
                api,
                "{\"status\":\"" + status + "\",\"client_timestamp\":\""
                        + system.clock().instant() + "\"" + more + "}");
    }

    /** Sends any body as a heartbeat. */
    public TestApi.Response send(String body) {
        return send(system.api(), body);
    }

    /** Sends any body as a heartbeat through another API. */
    public TestApi.Response send(TestApi api, String body) {
        return api.post(heartbeatPath()).key(TestSystem.AGENT_KEY).body(body).send();
    }

    /** Makes the next transition that is due for its silence, as the sweep does; returns whether there was one. */
    public boolean sweep() {
        return sweep(database);
    }

    /** Makes the transition through another database. */
    public boolean sweep(Database through) {
        Optional<Pulse> pulse = new PulseStore(through).find(id);
        Optional<Transition> due = pulse.flatMap(
                p -> HeartbeatTimeoutRule.due(p, NO_GRACE, system.clock().instant()));
        return due.isPresent() && new AgentStore(through).change(due.get(), stored().profile());
    }

    /** Advances the clock beyond its unhealthy threshold and makes the transition. */
    public void becomeUnhealthy() {
        system.clock().advanceSeconds(91);
        assertThat(sweep()).isTrue();
        assertThat(pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
    }

    /** Advances the clock beyond both thresholds and makes the transitions. */
    public void becomeDead() {
        system.clock().advanceSeconds(301);
        while (sweep()) {
            assertThat(pulse().status()).isIn(LifecycleStatus.UNHEALTHY, LifecycleStatus.DEAD);
        }
        assertThat(pulse().status()).isEqualTo(LifecycleStatus.DEAD);
    }

    /** Deregisters. */
    public TestApi.Response deregister() {
        return deregister(system.api());
    }

    /** Deregisters through other functions. */
    public TestApi.Response deregister(TestApi api) {
        return api.delete("/api/v1/agents/" + id).key(TestSystem.AGENT_KEY).send();
    }

    /** Changes its profile, with {@code If-Match: *}. */
    public TestApi.Response change(String body) {
        return system.api()
                .patch("/api/v1/agents/" + id)
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body)
                .send();
    }

    /** Requests a drain, with {@code If-Match: *}. */
    public TestApi.Response drain(TestApi api) {
        return api.patch("/api/v1/agents/" + id + "/status")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"status\":\"draining\"}")
                .send();
    }

    /** Dismisses it, as an administrator. */
    public void dismiss(String note) {
        Caller administrator = Caller.ofKey("administrator", "", Role.ADMINISTRATOR, Set.of(), KeyHash.NONE);
        new Dismissals(database, system.clock()).dismiss(new Author(administrator, "", ""), id, note);
    }

    /** Archives a dead or deregistered agent, as the sweep does after the clean-up; returns whether it did. */
    public boolean archive() {
        return archive(new AgentStore(database));
    }

    /** Archives it through another store. */
    public boolean archive(AgentStore through) {
        Optional<StoredAgent> seen = through.find(id);
        return seen.isPresent()
                && !seen.get().archived()
                && seen.get().pulse().status().hasEnded()
                && through.archive(seen.get().pulse(), seen.get().profile());
    }

    /** Removes the clean-up marker, as the sweep does after the clean-up. */
    public void finishCleanUp() {
        system.dynamoDb().updateItem(r -> r.tableName(TestTables.PULSES)
                .key(Map.of("id", AttributeValue.fromS(id)))
                .updateExpression("REMOVE z"));
    }

    /** Its stored state. */
    public StoredAgent stored() {
        return new AgentStore(database).find(id).orElseThrow();
    }

    /** Its pulse, or the part of it in its tombstone. */
    public Pulse pulse() {
        return stored().pulse();
    }

    /** The details of all its events, oldest first. */
    public List<JsonNode> events() {
        return new EventStore(database)
                .ofAgent(id, EventStore.Asked.first(Instant.EPOCH, 1_000))
                .items();
    }

    /** Its changes of status, oldest first, such as {@code active->unhealthy heartbeat_timeout}. */
    public List<String> changes() {
        return events().stream()
                .filter(e -> e.get("type").textValue().equals("agent.lifecycle"))
                .map(e -> e.get("previous_status").textValue() + "->"
                        + e.get("new_status").textValue() + " "
                        + e.get("reason").textValue())
                .toList();
    }

    /**
     * Asserts the invariants of every agent: its events are numbered from 1 without a gap, its changes of status are each
     * allowed and follow from each other, the last one led to the status it has, and its version counts those since it registered.
     *
     * @param about part of the failure message
     */
    public void assertHistoryIsWhole(String about) {
        Pulse pulse = pulse();
        List<JsonNode> events = events();
        assertThat(events.stream().map(e -> e.get("sequence").longValue()).toList())
                .as("event numbers, %s", about)
                .isEqualTo(LongStream.rangeClosed(1, pulse.sequence()).boxed().toList());
        LifecycleStatus status = LifecycleStatus.REGISTERING;
        long version = 0;
        for (JsonNode event : events) {
            if (!event.get("type").textValue().equals("agent.lifecycle")) {
                continue;
            }
            LifecycleStatus previous = WireNamed.find(
                            LifecycleStatus.class, event.get("previous_status").textValue())
                    .orElseThrow();
            LifecycleStatus next = WireNamed.find(
                            LifecycleStatus.class, event.get("new_status").textValue())
                    .orElseThrow();
            assertThat(previous).as("status before %s, %s", event, about).isEqualTo(status);
            assertThat(LifecycleTransitions.allows(previous, next))
                    .as("%s may follow, %s", event, about)
                    .isTrue();
            version = event.get("reason").textValue().endsWith("registered") && next == LifecycleStatus.ACTIVE
                    ? 1
                    : version + 1;
            status = next;
        }
        assertThat(pulse.status()).as("status after %s, %s", changes(), about).isEqualTo(status);
        assertThat(pulse.version()).as("version after %s, %s", changes(), about).isEqualTo(version);
    }
}
