package dev.agenthealth.functions.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Finds the kind of an item of the registry table by its key. */
public final class ItemKinds {

    private ItemKinds() {}

    /** The kind of an item, of which it has exactly one. */
    public static ItemKind of(Map<String, AttributeValue> item) {
        String key = item.get("pk").s() + " " + item.get("sk").s();
        List<ItemKind> found = Arrays.stream(ItemKind.values())
                .filter(kind -> key.matches(pattern(kind)))
                .toList();
        assertThat(found).as("kinds of %s", key).hasSize(1);
        return found.get(0);
    }

    private static String pattern(ItemKind kind) {
        String[] forms = kind.toString().split(" ");
        return pattern(forms[0], "[^#]+") + " " + pattern(forms[1], ".+");
    }

    private static String pattern(String form, String placeholder) {
        return Pattern.compile("\\{[^}]+}|[^{]+")
                .matcher(form)
                .results()
                .map(part -> part.group().startsWith("{") ? placeholder : Pattern.quote(part.group()))
                .collect(Collectors.joining());
    }
}
