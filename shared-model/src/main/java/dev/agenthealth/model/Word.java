package dev.agenthealth.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** An enum constant with a word in requests, responses, events and logs. */
public interface Word {

    /** The constant's name in Java. */
    String name();

    /** The word: the name in lower case. */
    default String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The constant with this word; empty where there is none. */
    static <E extends Enum<E> & Word> Optional<E> find(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.word().equals(word))
                .findFirst();
    }
}
