package dev.agenthealth.functions.storage.dynamo;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.agenthealth.model.WireNamed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Converts values of a type to attribute values and back, and defines the value of a missing attribute. Immutable and thread-safe.
 *
 * @param otherwise the value of a missing attribute
 * @param write never returns null
 * @param read gets a result of {@code write}, of this version or the version before
 */
public record AttributeType<V>(V otherwise, Function<V, AttributeValue> write, Function<AttributeValue, V> read) {

    public static final AttributeType<String> TEXT = new AttributeType<>("", Values::s, AttributeValue::s);
    public static final AttributeType<Long> NUMBER = number(0L, n -> n, n -> n);
    public static final AttributeType<Integer> INTEGER = number(0, i -> (long) i, Math::toIntExact);

    /** A number in the shortest digits that read back as the same number. */
    public static final AttributeType<Double> DECIMAL =
            new AttributeType<>(0.0, Values::decimal, v -> Double.valueOf(v.n()));

    /** A moment in epoch milliseconds. */
    public static final AttributeType<Instant> MOMENT =
            number(Instant.EPOCH, Instant::toEpochMilli, Instant::ofEpochMilli);

    /** A duration in seconds, rounded down. */
    public static final AttributeType<Duration> SECONDS =
            number(Duration.ZERO, Duration::toSeconds, Duration::ofSeconds);

    /** A duration in milliseconds, rounded down. */
    public static final AttributeType<Duration> MILLIS = number(Duration.ZERO, Duration::toMillis, Duration::ofMillis);

    public static final AttributeType<Boolean> FLAG = new AttributeType<>(false, Values::flag, AttributeValue::bool);

    /** A flag as 1 or 0. */
    public static final AttributeType<Boolean> BIT = number(false, flag -> flag ? 1L : 0L, n -> n == 1);

    public static final AttributeType<byte[]> BYTES =
            new AttributeType<>(new byte[0], Values::b, v -> v.b().asByteArray());

    public static final AttributeType<List<String>> TEXTS = TEXT.listed();

    /** A set of texts as a sorted list. */
    public static final AttributeType<Set<String>> TEXT_SET =
            TEXTS.as(Set.of(), set -> set.stream().sorted().toList(), Set::copyOf);

    public static final AttributeType<Map<String, Double>> DECIMALS = DECIMAL.byName();
    public static final AttributeType<Map<String, Long>> NUMBERS = NUMBER.byName();

    private static <V> AttributeType<V> number(V otherwise, Function<V, Long> to, LongFunction<V> from) {
        return new AttributeType<>(
                otherwise, value -> Values.n(to.apply(value)), v -> from.apply(Long.parseLong(v.n())));
    }

    /**
     * Returns the type of an enumeration that is stored by its wire name.
     *
     * @param unknown the value of a name that only another version has
     */
    public static <E extends Enum<E> & WireNamed> AttributeType<E> wireName(E unknown) {
        return TEXT.as(unknown, WireNamed::wireName, name -> WireNamed.find(unknown.getDeclaringClass(), name)
                .orElse(unknown));
    }

    /** Returns the type of a set of wire names, stored as a sorted list. Names of another version are left out. */
    public static <E extends Enum<E> & WireNamed> AttributeType<Set<E>> wireNames(Class<E> type) {
        return TEXT_SET.as(
                Set.of(), set -> set.stream().map(WireNamed::wireName).collect(toSet()), names -> names.stream()
                        .flatMap(name -> WireNamed.find(type, name).stream())
                        .collect(toSet()));
    }

    /** Returns the type with another value for a missing attribute. */
    public AttributeType<V> or(V other) {
        return new AttributeType<>(other, write, read);
    }

    /** Returns a type whose values are stored as values of this type. */
    public <W> AttributeType<W> as(W missing, Function<W, V> to, Function<V, W> from) {
        return new AttributeType<>(missing, to.andThen(write), read.andThen(from));
    }

    /** Returns the type of lists of values of this type. */
    public AttributeType<List<V>> listed() {
        return new AttributeType<>(
                List.of(),
                list -> AttributeValue.fromL(list.stream().map(write).toList()),
                v -> v.l().stream().map(read).toList());
    }

    /** Returns the type of maps from a text to values of this type. */
    public AttributeType<Map<String, V>> byName() {
        return new AttributeType<>(
                Map.of(),
                map -> AttributeValue.fromM(
                        map.entrySet().stream().collect(toMap(Map.Entry::getKey, e -> write.apply(e.getValue())))),
                v -> v.m().entrySet().stream().collect(toMap(Map.Entry::getKey, e -> read.apply(e.getValue()))));
    }
}
