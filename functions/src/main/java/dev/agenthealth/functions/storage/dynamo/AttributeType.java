package dev.agenthealth.functions.storage.dynamo;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.agenthealth.model.WireNamed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How values of a type are written to attributes and read back. Immutable and thread-safe.
 *
 * @param write never returns null
 * @param read gets what {@code write} returned, in this version or the one before
 */
public record AttributeType<V>(Function<V, AttributeValue> write, Function<AttributeValue, V> read) {

    public static final AttributeType<String> TEXT = new AttributeType<>(Values::s, AttributeValue::s);
    public static final AttributeType<Long> NUMBER = new AttributeType<>(Values::n, v -> Long.valueOf(v.n()));
    public static final AttributeType<Integer> INTEGER =
            new AttributeType<>(i -> Values.n(i), v -> Integer.valueOf(v.n()));

    /** The shortest digits that are read back as the same number. */
    public static final AttributeType<Double> DECIMAL =
            new AttributeType<>(Values::decimal, v -> Double.valueOf(v.n()));

    /** A moment in epoch milliseconds. */
    public static final AttributeType<Instant> MOMENT =
            new AttributeType<>(Values::moment, v -> Instant.ofEpochMilli(Long.parseLong(v.n())));

    /** A duration in seconds, rounded down. */
    public static final AttributeType<Duration> SECONDS =
            new AttributeType<>(d -> Values.n(d.toSeconds()), v -> Duration.ofSeconds(Long.parseLong(v.n())));

    /** A duration in milliseconds, rounded down. */
    public static final AttributeType<Duration> MILLIS =
            new AttributeType<>(d -> Values.n(d.toMillis()), v -> Duration.ofMillis(Long.parseLong(v.n())));

    public static final AttributeType<Boolean> FLAG = new AttributeType<>(Values::flag, AttributeValue::bool);

    /** A flag as 1 or 0. */
    public static final AttributeType<Boolean> BIT =
            new AttributeType<>(f -> Values.n(f ? 1 : 0), v -> v.n().equals("1"));

    public static final AttributeType<byte[]> BYTES = new AttributeType<>(Values::b, v -> v.b().asByteArray());

    /** A list of texts. */
    public static final AttributeType<List<String>> TEXTS = TEXT.listed();

    /** A set of texts as a sorted list. */
    public static final AttributeType<Set<String>> TEXT_SET =
            TEXTS.as(set -> set.stream().sorted().toList(), Set::copyOf);

    /** Moments in epoch milliseconds. */
    public static final AttributeType<List<Instant>> MOMENTS = MOMENT.listed();

    /** Decimals by name. */
    public static final AttributeType<Map<String, Double>> DECIMALS = map(DECIMAL);

    /** Numbers by name. */
    public static final AttributeType<Map<String, Long>> NUMBERS = map(NUMBER);

    /**
     * The wire name of an enumeration.
     *
     * @param unknown what a name of another version stands for
     */
    public static <E extends WireNamed> AttributeType<E> wireName(Function<String, Optional<E>> ofWireName, E unknown) {
        return TEXT.as(WireNamed::wireName, name -> ofWireName.apply(name).orElse(unknown));
    }

    /** Returns the type of lists of such values. */
    public AttributeType<List<V>> listed() {
        return new AttributeType<>(
                list -> AttributeValue.fromL(list.stream().map(write).toList()),
                v -> v.l().stream().map(read).toList());
    }

    /** A set of wire names as a sorted list; those of another version are left out. */
    public static <E extends WireNamed> AttributeType<Set<E>> wireNames(Function<String, Optional<E>> ofWireName) {
        return TEXT_SET.as(
                set -> set.stream().map(WireNamed::wireName).collect(toSet()),
                names ->
                        names.stream().map(ofWireName).flatMap(Optional::stream).collect(toSet()));
    }

    private static <V> AttributeType<Map<String, V>> map(AttributeType<V> type) {
        return new AttributeType<>(
                map -> AttributeValue.fromM(map.entrySet().stream()
                        .collect(toMap(Map.Entry::getKey, e -> type.write().apply(e.getValue())))),
                v -> v.m().entrySet().stream()
                        .collect(toMap(Map.Entry::getKey, e -> type.read().apply(e.getValue()))));
    }

    /** Returns the type of values that are stored as values of this one. */
    public <W> AttributeType<W> as(Function<W, V> to, Function<V, W> from) {
        return new AttributeType<>(to.andThen(write), read.andThen(from));
    }
}
