package dev.agenthealth.functions.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The kinds of items of the registry table, as the table in {@code RegistryKeys} names them. */
public final class ItemKinds {

    private static final Path SOURCE =
            Path.of("src/main/java/dev/agenthealth/functions/storage/dynamo/RegistryKeys.java");
    private static final Pattern ROW = Pattern.compile(" \\* (\\S.{15}) (\\S.*?) {2,}(\\S.*)");

    private final List<Kind> kinds = read();

    /**
     * A kind of items.
     *
     * @param pk the partition key's form, such as {@code A#{agent}}
     * @param sk the sort key's form
     */
    public record Kind(String pk, String sk) {

        public boolean includes(Map<String, AttributeValue> item) {
            return matches(pk, item.get("pk").s(), "[^#]+")
                    && matches(sk, item.get("sk").s(), ".+");
        }

        private static boolean matches(String form, String key, String placeholder) {
            String pattern = Pattern.compile("\\{[^}]+}|[^{]+")
                    .matcher(form)
                    .results()
                    .map(part -> part.group().startsWith("{") ? placeholder : Pattern.quote(part.group()))
                    .collect(Collectors.joining());
            return key.matches(pattern);
        }

        @Override
        public String toString() {
            return pk + " " + sk;
        }
    }

    /** Every kind, in the order of the table. */
    public List<Kind> all() {
        return kinds;
    }

    /** The kind of an item, of which it has exactly one. */
    public Kind of(Map<String, AttributeValue> item) {
        List<Kind> found = kinds.stream().filter(kind -> kind.includes(item)).toList();
        assertThat(found)
                .as("kinds of " + item.get("pk").s() + " " + item.get("sk").s())
                .hasSize(1);
        return found.get(0);
    }

    private static List<Kind> read() {
        try {
            return Files.readAllLines(SOURCE).stream()
                    .map(ROW::matcher)
                    .filter(Matcher::matches)
                    .filter(row -> !row.group(1).startsWith("pk"))
                    .map(row -> new Kind(row.group(1).trim(), row.group(2)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
