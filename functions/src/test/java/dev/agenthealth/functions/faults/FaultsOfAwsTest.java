package dev.agenthealth.functions.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Each day runs twice with the same script: without faults, and with faults at every boundary of every function. Once they end, the state is the same,
 * each event was delivered, no agent died that sent heartbeats, and no answer of success was wrong.
 */
@Tag(Attack.TAG)
@Tag("exhaustive")
class FaultsOfAwsTest {

    /** Each function that is killed leaves its threads behind: a process has no more than a system allows. */
    private static final int DAYS = Attack.size(2, 48);

    private static final double KILLS = 0.5;
    private static final int AGENTS = 10;
    private static final int MINUTES = 30;
    private static final int ACTS = 6;

    /** Longer than a grace period and the silence after which an agent is dead. */
    private static final int MINUTES_UNTIL_SETTLED = 15;

    private static final Duration NTP = Duration.ofMillis(500);

    /** Which faults have to hit, whatever the numbers of a run are. */
    private static final List<String> KINDS = List.of(
            "answer lost",
            "answered 503",
            "batch again",
            "clock stepped",
            "conflict",
            "killed",
            "lost request",
            "lost response",
            "outage",
            "part refused",
            "poison record",
            "refused",
            "request lost",
            "short page",
            "stale read",
            "throttling",
            "two at once",
            "unprocessed");

    /** The state two sweeps after the last fault, of agents that are alive, and when silence was judged again. */
    private record Outcome(Map<String, String> soon, Map<String, String> settled, long events) {}

    @Test
    void after_faults_the_state_is_that_of_a_day_without_them() {
        Attack attack = Attack.begin("faults-of-aws");
        Hits hits = new Hits();
        long events = 0;
        for (int day = 0; day < DAYS; day++) {
            long seed = attack.seed() + day;
            Outcome without = run(seed, 0, hits);
            Outcome with = run(seed, 0.03 + 0.02 * (day % 4), hits);
            assertThat(with.soon())
                    .as("two sweeps after the faults of day %d", seed)
                    .isEqualTo(without.soon());
            assertThat(with.settled()).as("after day %d", seed).isEqualTo(without.settled());
            events += with.events();
        }
        assertThat(hits.kinds()).containsKeys(KINDS.toArray(String[]::new));
        assertThat(hits.total()).isGreaterThan(500L * DAYS);
        assertThat(hits.calls()).hasSizeGreaterThan(Attack.size(200, 300));
        assertThat(hits.placesKilledAt()).isGreaterThan(Attack.size(100, hits.places() / 2));
        hits.kinds().forEach((kind, count) -> System.out.println(kind + ": " + count));
        attack.figure("days", DAYS)
                .figure("faults", hits.total())
                .figure("kinds of faults", hits.kinds().size())
                .figure("kinds by function and call", hits.calls().size())
                .figure("functions killed", hits.kinds().get("killed"))
                .figure("places between two calls", hits.places())
                .figure("of them killed at", hits.placesKilledAt())
                .figure("events delivered", events)
                .end();
    }

    private static Outcome run(long seed, double rate, Hits hits) {
        try (FaultySystem system = new FaultySystem(seed, hits);
                Day day = new Day(seed, system, hits)) {
            State state = new State(system);
            day.begin(AGENTS);
            if (rate > 0) {
                system.begin(rate, KILLS, NTP);
            }
            for (int i = 0; i < MINUTES; i++) {
                if (rate > 0 && i % 10 == 5) {
                    system.poisonStream();
                }
                day.minute(ACTS);
            }
            system.end();
            day.quietMinute();
            day.quietMinute();
            Map<String, String> soon = state.factsOf(day.alive());
            for (int i = 0; i < MINUTES_UNTIL_SETTLED; i++) {
                day.quietMinute();
            }
            state.historiesAreWhole();
            state.invocationsEnded("callee");
            state.deaths().forEach((agent, deaths) -> assertThat(deaths)
                    .as("deaths of %s on day %d", agent, seed)
                    .isLessThanOrEqualTo(day.deaths().getOrDefault(agent, 0)));
            assertThat(system.messagesLeft()).isZero();
            return new Outcome(soon, state.facts(), state.eventsAreDelivered());
        }
    }

    @Test
    void what_is_lost_is_seen() {
        try (FaultySystem system = new FaultySystem(1, new Hits());
                Day day = new Day(1, system, new Hits())) {
            day.begin(3);
            for (int i = 0; i < 4; i++) {
                day.minute(ACTS);
            }
            State state = new State(system);
            state.eventsAreDelivered();
            Map<String, String> facts = state.facts();
            Map<String, AttributeValue> event = new java.util.HashMap<>(system.items().stream()
                    .filter(item -> item.get("sk").s().startsWith("E#") && item.containsKey("detail"))
                    .findFirst()
                    .orElseThrow());
            event.put("sk", AttributeValue.fromS(event.get("sk").s() + "0"));
            event.put(
                    "detail",
                    AttributeValue.fromS(event.get("detail").s().replace("\"event_id\":\"", "\"event_id\":\"x")));
            system.system().tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY)
                    .item(event));
            assertThatThrownBy(state::eventsAreDelivered).hasMessageContaining("events that were not delivered");
            system.system().tables().dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY)
                    .key(Map.of("pk", event.get("pk"), "sk", event.get("sk"))));
            system.items().stream()
                    .filter(item -> item.get("pk").s().startsWith("AUDIT#"))
                    .forEach(
                            item -> system.system().tables().dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY)
                                    .key(Map.of("pk", item.get("pk"), "sk", item.get("sk")))));
            assertThat(state.facts()).isNotEqualTo(facts);
        }
    }
}
