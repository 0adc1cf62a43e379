package dev.agenthealth.functions.runtime.wiring;

import java.util.Optional;

/**
 * The declaration of an environment variable of a function. {@link FunctionSettings} declares each variable once; {@link Wiring#get} reads it.
 *
 * @param <T> the type of the value
 * @param name the name of the variable
 * @param type the form of the value
 * @param standard the value if the variable is not set; empty if the variable is required
 * @param meaning the meaning of the variable, for the table in the documents
 */
public record Setting<T>(String name, Type<T> type, Optional<T> standard, String meaning) {

    /** The form of a value. */
    public sealed interface Type<T> permits Text, Flag, WholeNumber {

        /**
         * Returns the value of a variable.
         *
         * @throws IllegalArgumentException with the form that the value must have
         */
        T parse(String value);

        /** Returns whether a value is in the range of the type. */
        default boolean accepts(T value) {
            return true;
        }
    }

    /** Any characters. */
    public record Text() implements Type<String> {

        @Override
        public String parse(String value) {
            return value;
        }
    }

    /** {@code true} is true. Every other value is false. */
    public record Flag() implements Type<Boolean> {

        @Override
        public Boolean parse(String value) {
            return "true".equals(value);
        }
    }

    /**
     * A whole number. The parameters of the template and the options of {@code serve} check the range, before a function gets the number.
     *
     * @param min the minimum value
     * @param max the maximum value
     */
    public record WholeNumber(int min, int max) implements Type<Integer> {

        @Override
        public Integer parse(String value) {
            try {
                return Integer.valueOf(value);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("is not a whole number", e);
            }
        }

        @Override
        public boolean accepts(Integer number) {
            return number >= min && number <= max;
        }
    }

    /** Returns whether a value is in the range of the setting. */
    public boolean accepts(T value) {
        return type.accepts(value);
    }

    static Setting<String> text(String name, String meaning) {
        return new Setting<>(name, new Text(), Optional.empty(), meaning);
    }

    static Setting<Boolean> flag(String name, String meaning) {
        return new Setting<>(name, new Flag(), Optional.empty(), meaning);
    }

    static Setting<Integer> number(String name, int min, int max, String meaning) {
        return new Setting<>(name, new WholeNumber(min, max), Optional.empty(), meaning);
    }

    /** Returns the setting with a value for functions without the variable. */
    Setting<T> or(T otherwise) {
        return new Setting<>(name, type, Optional.of(otherwise), meaning);
    }
}
