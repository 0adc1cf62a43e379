package dev.agenthealth.functions.storage.history;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.health.availability.AgentDay;
import dev.agenthealth.model.health.availability.AvailabilityState;
import dev.agenthealth.model.health.availability.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the days on which an agent's state changed. A day costs one write unit, or two if the state changed often. Thread-safe. */
public final class AgentDayStore {

    /** The time for which a day is kept. It is longer than any window that documents show. */
    public static final Duration RETENTION = Duration.ofDays(100);

    private static final int DIGITS = 6;

    private static final Codec<AgentDay> DAY = new Codec<>();

    /** For each state, the second of the day at which it begins, and its code. */
    private static final Attribute<List<String>> STATES = DAY.always(
            "states",
            AttributeType.TEXT.as(List.of(), texts -> String.join(",", texts), text -> List.of(text.split(","))),
            day -> texts(day.day(), day.heartbeats()));

    /** These states by the verdict; empty for a day of an earlier version. */
    private static final Attribute<List<String>> VERDICTS = DAY.optional(
            "verdicts",
            AttributeType.TEXT.as(List.of(), texts -> String.join(",", texts), text -> List.of(text.split(","))),
            day -> texts(day.day(), day.verdicts()));

    /** The time of the computation, which includes all changes up to this time. */
    private static final Attribute<Instant> AT = new Attribute<>("at", AttributeType.MOMENT);

    private final Database database;
    private final Table registry;

    public AgentDayStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Writes a day, and replaces an earlier computation of it. Returns {@code false} if a later computation is stored. */
    public boolean put(String agentId, AgentDay day, Instant now) {
        Map<String, AttributeValue> item = DAY.put(
                Attributes.item(
                        ItemKind.AGENT_DAY.key(agentId, number(day.day())),
                        AgentDay.start(day.day()).plus(RETENTION)),
                day);
        return registry.put(
                AT.put(item, now),
                Condition.absent(AT.name())
                        .or(Condition.lessThan(AT.name(), AT.stored(now)))
                        // A time in the future comes from a clock that ran ahead.
                        .or(Condition.moreThan(AT.name(), AT.stored(now.plus(ClockRule.MAX_PASS)))));
    }

    /** Returns the stored days of an agent from {@code first} to {@code last}, in ascending order. */
    public List<AgentDay> days(String agentId, long first, long last) {
        Query query = Query.partition(ItemKind.AGENT_DAY.partition(agentId))
                .between(ItemKind.AGENT_DAY.sortKey(number(first)), ItemKind.AGENT_DAY.sortKey(number(last)));
        return registry.all(query)
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .map(AgentDayStore::read)
                .toList();
    }

    private static String number(long day) {
        return Attributes.padded(Math.max(0, day), DIGITS);
    }

    private static List<String> texts(long day, Timeline states) {
        Instant start = AgentDay.start(day);
        return states.spans().stream()
                .map(span -> Duration.between(start, span.from()).toSeconds() + code(span.state()))
                .collect(Collectors.toList());
    }

    private static AgentDay read(Map<String, AttributeValue> item) {
        long day = Long.parseLong(ItemKind.AGENT_DAY.afterPrefix(item));
        List<String> verdicts = VERDICTS.of(item);
        return new AgentDay(
                day,
                timeline(day, STATES.of(item)),
                verdicts.isEmpty() ? AgentDay.NOT_STORED : timeline(day, verdicts));
    }

    private static Timeline timeline(long day, List<String> texts) {
        Instant start = AgentDay.start(day);
        Timeline.Builder states = new Timeline.Builder(start, AgentDay.start(day + 1));
        for (String text : texts) {
            int end = text.length() - 1;
            states.set(
                    start.plusSeconds(Long.parseLong(text.substring(0, end))),
                    state(text.substring(end)),
                    Optional.empty());
        }
        return states.timeline();
    }

    private static String code(AvailabilityState state) {
        return switch (state) {
            case UP -> "u";
            case DEGRADED -> "d";
            case DOWN -> "x";
            case MAINTENANCE -> "m";
            case NONE -> "n";
            case UNKNOWN -> "k";
        };
    }

    private static AvailabilityState state(String code) {
        for (AvailabilityState state : AvailabilityState.values()) {
            if (code(state).equals(code)) {
                return state;
            }
        }
        return AvailabilityState.UNKNOWN;
    }
}
