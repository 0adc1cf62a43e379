package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.VerdictRule;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The health of the system, for coordinators and administrators. */
@Tag("AHM-08")
@Tag("AHS-18")
class SystemHealthTest {

    private static final int GROUPS = 200;
    private static final Caller ADMINISTRATOR = caller(Role.ADMINISTRATOR);
    private static final String NO_AGENTS =
            """
            {"score":null,"agents":0,"dead":0,"inactive":0,
             "by_verdict":{"blocked":0,"down":0,"degraded":0,"unknown":0,"ok":0},
             "by_state":{"Healthy":0,"Degraded":0,"Unhealthy":0,"Inactive":0},
             "by_health_status":{"healthy":0,"degraded":0,"unhealthy":0,"unknown":0},
             "by_lifecycle_status":{"active":0,"draining":0,"unhealthy":0,"dead":0,"deregistered":0},
             "survival":{"total":0,"healthy":0,"down":0,"rate":null,"healthy_rate":null},
             "groups":{"role":{},"provider":{},"platform":{}},
             "by_score":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],
             "as_of":null}
            """;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final SystemHealth health = new SystemHealth(system.database(), system.clock());

    @Test
    void before_the_first_sweep_the_counts_are_zero() {
        assertThat(sent(health.of(ADMINISTRATOR))).isEqualTo(Json.received(NO_AGENTS));
    }

    @Test
    void the_state_of_the_sweep_is_shown_with_the_figures() {
        count(GROUPS);
        Instant now = system.clock().instant();
        new SweepStateStore(system.database()).begin(now, Duration.ofMinutes(2), SweepStateStore.Learnt.NOTHING);
        assertThat(sent(health.of(ADMINISTRATOR)).get("registry").toString())
                .isEqualTo(
                        "{\"last_sweep_at\":\"" + Timestamps.text(now)
                                + "\",\"late\":false,\"self_check_failing_since\":null,"
                                + "\"mass_silence_since\":null,\"mass_restart_since\":null,\"probes_inconclusive_since\":null}");
        system.clock().advanceSeconds(121);
        assertThat(sent(health.of(ADMINISTRATOR)).at("/registry/late").booleanValue())
                .isTrue();
    }

    @Test
    void figures_are_returned_for_the_system_and_every_group() {
        agent("a", "billing", "acme", "linux", HealthStatus.HEALTHY, 9_250);
        agent("b", "billing", "acme", "", HealthStatus.DEGRADED, 7_000);
        agent("c", "", "globex", "", HealthStatus.UNKNOWN, HealthSummary.INACTIVE);
        agent("d", "", "", "", HealthStatus.HEALTHY, 8_500).deregister();
        count(GROUPS);
        JsonNode json = sent(health.of(ADMINISTRATOR));
        assertThat(json.toString())
                .startsWith(
                        """
                                {"score":81.25,"agents":3,"dead":0,"inactive":1,"by_verdict":{"blocked":0,"down":0,\
                                "degraded":1,"unknown":1,"ok":1},"by_state":{"Healthy":1,"Degraded":1,"Unhealthy":0,\
                                "Inactive":1},"by_health_status":{"healthy":1,"degraded":1,"unhealthy":0,"unknown":1},\
                                "by_lifecycle_status":{"active":3,"draining":0,"unhealthy":0,"dead":0,\
                                "deregistered":1},"survival":{"total":3,"healthy":1,"down":0,"rate":1.0000,\
                                "healthy_rate":0.5000},"groups":\
                                """);
        assertThat(json.at("/groups/role").fieldNames()).toIterable().containsExactly("billing");
        assertThat(json.at("/groups/provider").fieldNames()).toIterable().containsExactly("acme", "globex");
        assertThat(json.at("/groups/platform").fieldNames()).toIterable().containsExactly("linux");
        JsonNode acme = json.at("/groups/provider/acme");
        assertThat(acme.at("/score").decimalValue()).isEqualByComparingTo("81.25");
        assertThat(acme.at("/survival/healthy_rate").decimalValue()).isEqualByComparingTo("0.5");
        assertThat(json.at("/groups/provider/globex/score").isNull()).isTrue();
        assertThat(json.has("other_groups")).isFalse();
        assertThat(json.get("as_of").textValue())
                .isEqualTo(Timestamps.text(system.clock().instant()));
    }

    @Test
    void the_dead_count_with_their_scores_for_the_system_and_every_group() {
        agent("b", "billing", "", "", HealthStatus.HEALTHY, 10_000).becomeDead();
        agent("a", "billing", "acme", "", HealthStatus.HEALTHY, 9_000);
        count(GROUPS);
        JsonNode json = sent(health.of(ADMINISTRATOR));
        for (JsonNode statistics : List.of(json, json.at("/groups/role/billing"))) {
            assertThat(statistics.toString())
                    .startsWith(
                            """
                                    {"score":95.00,"agents":2,"dead":1,"inactive":0,"by_verdict":{"blocked":0,\
                                    "down":1,"degraded":0,"unknown":0,"ok":1},"by_state":{"Healthy":2,"Degraded":0,\
                                    "Unhealthy":0,"Inactive":0},"by_health_status":{"healthy":1,"degraded":0,\
                                    "unhealthy":0,"unknown":0},"by_lifecycle_status":{"active":1,"draining":0,\
                                    "unhealthy":0,"dead":1,"deregistered":0},"survival":{"total":2,"healthy":1,\
                                    "down":1,"rate":0.5000,"healthy_rate":0.5000}\
                                    """);
        }
        assertThat(json.at("/groups/provider/acme/dead").intValue()).isZero();
    }

    @Test
    void groups_beyond_the_largest_are_summed() {
        for (int i = 0; i < 3; i++) {
            agent("a" + i, "r" + i, i == 0 ? "" : "acme", "", HealthStatus.HEALTHY, 9_000);
        }
        agent("b", "r2", "", "", HealthStatus.UNHEALTHY, 1_000);
        count(1);
        JsonNode json = sent(health.of(ADMINISTRATOR));
        assertThat(json.at("/groups/role").fieldNames()).toIterable().containsExactly("r2");
        assertThat(json.at("/other_groups").fieldNames()).toIterable().containsExactly("role");
        assertThat(json.at("/other_groups/role/agents").intValue()).isEqualTo(2);
        assertThat(json.at("/other_groups/role/survival/rate").intValue()).isEqualTo(1);
    }

    @Test
    void a_group_whose_name_is_not_listed_counts_among_the_others() {
        agent("a", "", "acme", "", HealthStatus.HEALTHY, 9_000);
        count(GROUPS);
        delete("PROVIDERS", "acme");
        delete("NUMBERS#PROVIDERS", Long.toString(GroupNumber.of("acme")));
        JsonNode json = sent(health.of(ADMINISTRATOR));
        assertThat(json.at("/groups/provider").isEmpty()).isTrue();
        assertThat(json.at("/other_groups/provider/agents").intValue()).isEqualTo(1);
    }

    @Test
    void the_largest_groups_are_named_whatever_names_come_before_them() {
        agent("a", "zebra", "", "", HealthStatus.HEALTHY, 9_000);
        agent("b", "zebra", "", "", HealthStatus.HEALTHY, 9_000);
        List<String> invented = IntStream.range(0, GroupStatistics.MAX_GROUPS)
                .mapToObj(i -> "a" + i)
                .toList();
        for (int from = 0; from < invented.size(); from += 25) {
            List<WriteRequest> puts = invented.subList(from, from + 25).stream()
                    .map(name -> WriteRequest.builder()
                            .putRequest(p -> p.item(
                                    Map.of("pk", AttributeValue.fromS("ROLES"), "sk", AttributeValue.fromS(name))))
                            .build())
                    .toList();
            system.tables().dynamoDb().batchWriteItem(r -> r.requestItems(Map.of(TestTables.REGISTRY, puts)));
        }
        agent("c", "a1", "", "", HealthStatus.HEALTHY, 9_000);
        count(1);
        JsonNode json = sent(health.of(ADMINISTRATOR));
        assertThat(json.at("/groups/role").fieldNames()).toIterable().containsExactly("zebra");
        assertThat(json.at("/other_groups/role/agents").intValue()).isEqualTo(1);
    }

    @Test
    void a_coordinator_sees_the_same_as_an_administrator() {
        agent("a", "billing", "acme", "linux", HealthStatus.HEALTHY, 9_250);
        count(GROUPS);
        assertThat(health.of(caller(Role.COORDINATOR))).isEqualTo(health.of(ADMINISTRATOR));
    }

    @Test
    void a_coordinator_limited_to_some_roles_sees_these_roles_and_their_sum() {
        agent("a", "billing", "acme", "linux", HealthStatus.HEALTHY, 9_250);
        agent("b", "search", "globex", "linux", HealthStatus.HEALTHY, 9_250);
        agent("c", "mail", "", "", HealthStatus.HEALTHY, 9_250);
        agent("d", "mail", "", "", HealthStatus.UNHEALTHY, 1_000);
        count(GROUPS);
        JsonNode json = sent(health.of(caller(Role.VIEWER, "billing", "mail", "unheard-of")));
        assertThat(json.at("/agents").intValue()).isEqualTo(3);
        assertThat(json.at("/survival/healthy").intValue()).isEqualTo(2);
        assertThat(json.at("/groups/role").fieldNames()).toIterable().containsExactly("billing", "mail");
        assertThat(json.at("/groups/provider").isEmpty()).isTrue();
        assertThat(json.at("/groups/platform").isEmpty()).isTrue();
        assertThat(json.has("other_groups")).isFalse();
        JsonNode one = sent(health.of(caller(Role.COORDINATOR, "unheard-of")));
        assertThat(one.at("/agents").intValue()).isZero();
        assertThat(one.at("/groups/role").isEmpty()).isTrue();
    }

    @Test
    void a_request_costs_one_read_and_one_per_kind_of_group() {
        agent("a", "billing", "acme", "", HealthStatus.HEALTHY, 9_250);
        count(GROUPS);
        system.meter().reset();
        health.of(ADMINISTRATOR);
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "BatchGetItem", "BatchGetItem");
        system.meter().reset();
        health.of(caller(Role.COORDINATOR, "billing"));
        assertThat(system.meter().operations()).containsExactly("BatchGetItem");
    }

    @Test
    void scores_are_counted_in_steps_for_the_system_only() {
        agent("a", "billing", "acme", "", HealthStatus.HEALTHY, 9_250);
        agent("b", "billing", "acme", "", HealthStatus.UNHEALTHY, 6_400);
        count(GROUPS);
        JsonNode json = sent(health.of(ADMINISTRATOR));
        assertThat(json.get("by_score").toString()).isEqualTo("[0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,1,0]");
        assertThat(json.at("/groups/role/billing").has("by_score")).isFalse();
        assertThat(sent(health.of(caller(Role.VIEWER, "billing"))).has("by_score"))
                .isFalse();
    }

    @Test
    void a_caller_that_has_the_figures_gets_304_until_they_change() {
        agent("a", "billing", "acme", "", HealthStatus.HEALTHY, 9_250);
        count(GROUPS);
        begin();
        Response first = get("");
        assertThat(first.status()).isEqualTo(200);
        String tag = first.header("ETag");
        system.clock().advanceSeconds(60);
        count(GROUPS);
        begin();
        assertThat(get(tag).status())
                .as("counted again, with the same statistics")
                .isEqualTo(304);
        assertThat(get(tag).text()).isEmpty();
        system.clock().advanceSeconds(121);
        assertThat(get(tag).status()).as("the sweep is late").isEqualTo(200);
        begin();
        agent("b", "billing", "acme", "", HealthStatus.HEALTHY, 9_250);
        count(GROUPS);
        assertThat(get(tag).status()).as("another agent").isEqualTo(200);
    }

    private Response get(String tag) {
        TestApi.Request request = system.api().get("/api/v1/health").key(TestSystem.ADMINISTRATOR_KEY);
        return (tag.isEmpty() ? request : request.header("if-none-match", tag)).send();
    }

    private void begin() {
        new SweepStateStore(system.database())
                .begin(system.clock().instant(), Duration.ofMinutes(2), SweepStateStore.Learnt.NOTHING);
    }

    /** Stores the counts of the fleet, like the sweep. */
    private void count(int groups) {
        FleetScan fleet = new FleetScan(system.database());
        FleetStatistics.Tally tally = new FleetStatistics.Tally(
                new VerdictRule(Set.of(), Set.of(), Set.of(), system.clock().instant()));
        fleet.segment(0, 1, tally::add, (id, placedAt) -> {});
        assertThat(new StatisticsStore(system.database())
                        .put(tally.statistics().largest(groups), system.clock().instant()))
                .isTrue();
    }

    private TestAgent agent(
            String id, String role, String provider, String platform, HealthStatus status, int hundredths) {
        List<String> fields = new ArrayList<>(List.of("\"agent_id\":\"" + id + "\""));
        if (!role.isEmpty()) {
            fields.add("\"role_id\":\"" + role + "\"");
        }
        if (!provider.isEmpty()) {
            fields.add("\"provider_id\":\"" + provider + "\"");
        }
        if (!platform.isEmpty()) {
            fields.add("\"platform\":\"" + platform + "\"");
        }
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{" + String.join(",", fields) + "}")
                        .send()
                        .status())
                .isEqualTo(201);
        assertThat(new FleetScan(system.database()).putHealth(id, 1, status, false, hundredths))
                .isTrue();
        return new TestAgent(system, id);
    }

    private void delete(String partition, String sortKey) {
        system.tables().dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY)
                .key(Map.of("pk", AttributeValue.fromS(partition), "sk", AttributeValue.fromS(sortKey))));
    }

    private static Caller caller(Role role, String... roleIds) {
        return Caller.ofKey("key", "", role, Set.of(roleIds), KeyHash.ofKey("key"));
    }

    /** The response's body. */
    private static JsonNode sent(ObjectNode json) {
        return Json.received(Json.text(json));
    }
}
