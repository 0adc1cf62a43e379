package dev.agenthealth.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** An enum constant with a wire name in requests, responses, events and logs. */
public interface WireNamed {

    /** Returns the name of the constant in Java. */
    String name();

    /** Returns the wire name: the name in lower case. */
    default String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the constant with a wire name; empty without one. */
    static <E extends Enum<E> & WireNamed> Optional<E> find(Class<E> type, String wireName) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.wireName().equals(wireName))
                .findFirst();
    }
}
