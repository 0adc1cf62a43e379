package dev.agenthealth.local.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options and parameters that become fields of a request. A registry that refuses a request names its fields, such as {@code
 * owner_key_id}; a person has typed {@code --owner}.
 */
final class FieldNames {

    /** Fields whose argument has a different name. */
    private static final Map<String, String> SYNONYMS = Map.of("url", "address");

    /** Endings of fields that arguments leave out. */
    private static final List<String> ENDINGS = List.of("s", "es", "-key-id", "-id", "-ids", "-seconds");

    private final List<ArgSpec> arguments;

    /** @param registry the mixin of the command whose options no request carries */
    FieldNames(CommandSpec command, Object registry) {
        Set<String> others = command.mixins().values().stream()
                .filter(mixin -> mixin.userObject() == registry)
                .flatMap(mixin -> mixin.options().stream())
                .map(OptionSpec::longestName)
                .collect(Collectors.toSet());
        arguments = Stream.concat(
                        command.positionalParameters().stream(),
                        command.options().stream()
                                .filter(option -> !option.usageHelp() && !option.versionHelp())
                                .filter(option -> !others.contains(option.longestName())))
                .toList();
    }

    /** Returns the argument of a field, such as {@code --interval} for {@code watch.interval_seconds}; the quoted field if it has none. */
    String of(String field) {
        String[] parts = field.replaceAll("\\[[0-9]+]", "").split("[.]");
        for (int part = parts.length - 1; part >= 0; part--) {
            String word = parts[part].replace('_', '-');
            Optional<String> found = spellings(word)
                    .map(this::argument)
                    .flatMap(Optional::stream)
                    .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
        }
        return "'" + field + "'";
    }

    private static Stream<String> spellings(String word) {
        Stream<String> shorter = ENDINGS.stream()
                .filter(word::endsWith)
                .map(ending -> word.substring(0, word.length() - ending.length()));
        return Stream.concat(Stream.of(SYNONYMS.getOrDefault(word, word), word), shorter);
    }

    /** Returns the argument with a name: an option with the name or with its last words; otherwise an argument whose value has the name. */
    private Optional<String> argument(String word) {
        return first(argument ->
                        argument instanceof OptionSpec option && name(option).equals(word))
                .or(() -> first(argument -> argument.paramLabel().equalsIgnoreCase(word)))
                .or(() ->
                        first(argument -> argument instanceof OptionSpec option && word.endsWith("-" + name(option))));
    }

    private Optional<String> first(Predicate<ArgSpec> condition) {
        return arguments.stream()
                .filter(condition)
                .findFirst()
                .map(argument -> argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel());
    }

    private static String name(OptionSpec option) {
        return option.longestName().replaceFirst("^-+", "");
    }
}
