package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.StatisticsText;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.PostponedDeaths;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages between a sweep and the invocations that handle a shard, as maps of texts and numbers for Lambda. Both sides run the same
 * version.
 */
final class ShardMessages {

    private static final String PHASE = "phase";
    private static final String WAITS = "waits_after_seconds";
    private static final String ACT = "act";
    private static final String STATISTICS = "statistics";
    private static final String FLEET = "fleet";
    private static final String CONTAINMENT = "containment";
    private static final String CONTAINS = "contains";

    /** The tick of a deployed sweep, for messages of a version that does not send one. */
    private static final Duration DEFAULT_TICK = Duration.ofMinutes(1);

    /** The time before a wait for a person is published, for messages of a version that does not send one. */
    private static final Duration DEFAULT_WAITS = Duration.ofMinutes(1);

    private ShardMessages() {}

    /**
     * A request to handle a shard.
     *
     * @param act true to act, false to count
     */
    record Request(boolean act, SegmentRange range, Inspection inspection, SweepDecision decision) {}

    /** Returns whether the event of an invocation is a request. */
    static boolean isRequest(Map<String, Object> event) {
        return event.containsKey(PHASE);
    }

    static Map<String, Object> of(Request request) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put(PHASE, request.act() ? ACT : "count");
        message.put("from", request.range().from());
        message.put("to", request.range().to());
        message.put("total", request.range().total());
        message.put("grace_from", request.inspection().graceFrom().toString());
        message.put("watched", watched(request.inspection().watched().usual()));
        Map<String, Object> watchedOfOwners = new LinkedHashMap<>();
        request.inspection()
                .watched()
                .byOwner()
                .forEach((owner, rule) -> watchedOfOwners.put(Integer.toString(owner), watched(rule)));
        message.put("watched_of_owners", watchedOfOwners);
        message.put("now", request.inspection().now().toString());
        message.put("mark_since", request.inspection().after().marks().toString());
        message.put("days_after", request.inspection().after().days().toString());
        message.put("probes_after", request.inspection().after().probes().toString());
        message.put(WAITS, request.inspection().after().waits().toSeconds());
        message.put("max_ahead_seconds", request.inspection().maxAhead().toSeconds());
        message.put("may_change_status", request.decision().mayChangeStatus());
        message.put(
                "deaths_postponed_from", request.decision().postponed().from().toString());
        message.put("deaths_postponed_of", request.decision().postponed().owner());
        message.put("tick_ms", request.decision().tick().toMillis());
        message.put("corrects_times", request.decision().correctsTimes());
        message.put("deaths_unlimited", request.decision().deaths().unlimited());
        message.put("deaths", texts(request.decision().deaths().byOwner()));
        message.put("pools", List.copyOf(request.inspection().pools()));
        message.put(STATISTICS, request.inspection().statistics());
        return message;
    }

    static Request request(Map<String, Object> message) {
        return new Request(
                ACT.equals(message.get(PHASE)),
                new SegmentRange(
                        (int) number(message, "from"), (int) number(message, "to"), (int) number(message, "total")),
                new Inspection(
                        Instant.parse((String) message.get("grace_from")),
                        watchedOfOwners(message),
                        Instant.parse((String) message.get("now")),
                        new Inspection.After(
                                Instant.parse((String) message.get("mark_since")),
                                Instant.parse((String) message.get("days_after")),
                                Instant.parse((String) message.get("probes_after")),
                                seconds(message, WAITS, DEFAULT_WAITS)),
                        pools(message),
                        seconds(message, "max_ahead_seconds", ClockRule.MAX_PASS),
                        Boolean.TRUE.equals(message.get(STATISTICS))),
                new SweepDecision(
                        Boolean.TRUE.equals(message.get("may_change_status")),
                        new DeathQuota(
                                Boolean.TRUE.equals(message.get("deaths_unlimited")), numbers(message, "deaths")),
                        new PostponedDeaths(
                                Instant.parse((String) message.get("deaths_postponed_from")),
                                message.containsKey("deaths_postponed_of")
                                        ? number(message, "deaths_postponed_of")
                                        : GroupNumber.NONE),
                        Boolean.TRUE.equals(message.get("corrects_times")),
                        millis(message, "tick_ms", DEFAULT_TICK)));
    }

    private static Map<String, Object> watched(ProbeTimeoutRule rule) {
        return Map.of("grace_from", rule.graceFrom().toString(), "large_fleet", rule.isLargeFleet());
    }

    private static ProbeTimeoutRule watched(Object message) {
        Map<?, ?> rule = (Map<?, ?>) message;
        return new ProbeTimeoutRule(
                Instant.parse((String) rule.get("grace_from")), Boolean.TRUE.equals(rule.get("large_fleet")));
    }

    /** A version that judges all watched agents alike sends one rule, in two fields. */
    private static ProbeTimeoutRules watchedOfOwners(Map<String, Object> message) {
        if (!message.containsKey("watched")) {
            return new ProbeTimeoutRules(
                    new ProbeTimeoutRule(
                            Instant.parse((String) message.get("watched_grace_from")),
                            Boolean.TRUE.equals(message.get("watched_large_fleet"))),
                    Map.of());
        }
        Map<Integer, ProbeTimeoutRule> byOwner = new HashMap<>();
        ((Map<?, ?>) message.get("watched_of_owners"))
                .forEach((owner, rule) -> byOwner.put(Integer.valueOf((String) owner), watched(rule)));
        return new ProbeTimeoutRules(watched(message.get("watched")), byOwner);
    }

    private static Duration seconds(Map<String, Object> message, String field, Duration otherwise) {
        return message.get(field) instanceof Number number ? Duration.ofSeconds(number.longValue()) : otherwise;
    }

    private static Duration millis(Map<String, Object> message, String field, Duration otherwise) {
        return message.get(field) instanceof Number number ? Duration.ofMillis(number.longValue()) : otherwise;
    }

    static Map<String, Object> of(FleetReading reading) {
        FleetCount count = reading.count();
        Map<String, Object> message = Counts.byName(FleetCounter.class, count.agents());
        message.put("freshest", count.freshest().toString());
        message.put("beats_per_second", count.heartbeatsPerSecond());
        message.put("due", reading.due());
        message.put("active_of_pools", texts(reading.pools().active()));
        message.put("agents_of_owners", texts(reading.owners().agents()));
        message.put("dying_of_owners", texts(reading.owners().dying()));
        message.put("watched_of_owners", texts(reading.owners().watched()));
        message.put("restarted_of_owners", texts(reading.owners().restarted()));
        message.put("rows_of_owners", texts(reading.owners().rows()));
        message.put(STATISTICS, statistics(reading.statistics()));
        message.put(CONTAINMENT, reading.candidates().texts());
        message.put(CONTAINS, reading.candidates().needed());
        return message;
    }

    static FleetReading reading(Map<String, Object> message) {
        return new FleetReading(
                new FleetCount(
                        Counts.ofNames(FleetCounter.class, message),
                        Instant.parse((String) message.get("freshest")),
                        ((Number) message.get("beats_per_second")).doubleValue()),
                number(message, "due"),
                new PoolCount(numbers(message, "active_of_pools")),
                statistics(message),
                new OwnerCounts(
                        numbers(message, "agents_of_owners"),
                        numbers(message, "dying_of_owners"),
                        numbers(message, "watched_of_owners"),
                        numbers(message, "restarted_of_owners"),
                        numbers(message, "rows_of_owners")),
                candidates(message));
    }

    /** A shard of the version before sends no candidates. */
    private static ContainmentCandidates candidates(Map<String, Object> message) {
        return message.get(CONTAINMENT) instanceof List<?> texts
                ? ContainmentCandidates.ofTexts(texts, Boolean.TRUE.equals(message.get(CONTAINS)))
                : ContainmentCandidates.NONE;
    }

    private static Map<String, Object> statistics(FleetStatistics statistics) {
        Map<String, Object> texts = new LinkedHashMap<>();
        texts.put(FLEET, StatisticsText.of(statistics.fleet()));
        statistics.groups().forEach((kind, groups) -> texts.put(kind.wireName(), StatisticsText.of(groups)));
        return texts;
    }

    private static FleetStatistics statistics(Map<String, Object> message) {
        Map<?, ?> texts = (Map<?, ?>) message.get(STATISTICS);
        Map<GroupKind, GroupStatistics> groups = new EnumMap<>(GroupKind.class);
        for (GroupKind kind : GroupKind.values()) {
            groups.put(kind, StatisticsText.groups((String) texts.get(kind.wireName())));
        }
        return new FleetStatistics(StatisticsText.statistics((String) texts.get(FLEET)), groups);
    }

    private static Set<Long> pools(Map<String, Object> message) {
        Set<Long> pools = new HashSet<>();
        ((List<?>) message.get("pools")).forEach(number -> pools.add(((Number) number).longValue()));
        return pools;
    }

    private static Map<String, Object> texts(Map<Long, Long> numbers) {
        Map<String, Object> texts = new LinkedHashMap<>();
        numbers.forEach((key, number) -> texts.put(Long.toString(key), number));
        return texts;
    }

    private static Map<Long, Long> numbers(Map<String, Object> message, String name) {
        Map<Long, Long> numbers = new HashMap<>();
        ((Map<?, ?>) message.get(name))
                .forEach((key, number) -> numbers.put(Long.valueOf((String) key), ((Number) number).longValue()));
        return numbers;
    }

    private static long number(Map<String, Object> message, String name) {
        return ((Number) message.get(name)).longValue();
    }
}
