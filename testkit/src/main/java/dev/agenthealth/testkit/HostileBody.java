package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The body of a request: described JSON, with a few fields replaced, removed or added, or damaged as a whole.
 *
 * @param bytes the bytes to send
 * @param damaged the invalid top-level fields; empty for none, or if the body is no JSON of the description
 * @param isWhole whether it is JSON in UTF-8 with unique names
 */
record HostileBody(byte[] bytes, Set<String> damaged, boolean isWhole) {

    private static final String RAW = "@raw:";

    /** JSON texts that replace a value; {@code N} stands for many characters. */
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "\"\"",
            "\" \"",
            "[]",
            "{}",
            "[null]",
            "[[]]",
            "{\"\":null}",
            "-1",
            "0",
            "1.5",
            "1e400",
            "-1e-400",
            "1E999999999",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999999999999999",
            "2147483648",
            "NaN",
            "Infinity",
            "01",
            "+1",
            "0x10",
            "'x'",
            "\"1\"",
            "\"\\u0000\"",
            "\"a\\u0000b\"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\\u202e\\u2066\"",
            "\"\\ufeff\"",
            "\"\\uffff\"",
            "\"é\"",
            "\"..\"",
            "\"a/../../b\"",
            "\"%2e%2e%2f\"",
            "\"-2026-02-08T10:00:00Z\"",
            "\"2026-02-30T10:00:00.000Z\"",
            "\"2026-02-08T24:00:00.000Z\"",
            "\"2026-02-08T10:00:00\"",
            "\"2026-02-08T10:00:60.999Z\"",
            "\"+999999999-12-31T23:59:59.999999999Z\"",
            "\"-999999999-01-01T00:00:00Z\"",
            "\"9999-12-31T23:59:59.999Z\"",
            "\"0000-01-01T00:00:00.000Z\"",
            "\"http://169.254.169.254/latest\"",
            "\"http://[::1]:99999/\"",
            "\"file:///etc/passwd\"",
            "\"javascript:alert(1)\"",
            "\"https://user:pass@x.example\\u0000/\"",
            "\"https://x.example:0x50/%zz\"",
            "\"<script>alert(1)</script>\"",
            "\"${jndi:ldap://x}\"",
            "\"* * * * *\"",
            "\"60 25 32 13 8\"",
            "\"*/0 0-99999999999 * * *\"",
            "\"Europe/../Berlin\"",
            "\"constructor\"",
            "\"__proto__\"",
            "\"#\"",
            "\"~\"",
            "\"a#b\"",
            "\"N\"",
            "\"A,N\"");

    /** Whole bodies that no route describes. */
    private static final List<String> WHOLE = List.of(
            "",
            " ",
            "null",
            "true",
            "1",
            "\"x\"",
            "[]",
            "[{}]",
            "{",
            "}",
            "{}{}",
            "{\"a\"}",
            "{\"a\":1,}",
            "{a:1}",
            "\ufeff{}",
            "\u0000",
            "--- [",
            "&a [*a]",
            "<x/>");

    static HostileBody empty() {
        return new HostileBody(new byte[0], Set.of(), false);
    }

    /** Returns a JSON body with this number of faults at random places. */
    static HostileBody of(JsonNode described, int faults, Random random) {
        JsonNode tree = described.deepCopy();
        Set<String> damaged = new TreeSet<>();
        for (int i = 0; i < faults; i++) {
            List<Place> places = new ArrayList<>();
            collect(tree, "", places, 0);
            if (!places.isEmpty()) {
                Place place = places.get(random.nextInt(places.size()));
                damaged.add(place.field());
                place.change().accept(random);
            }
        }
        String text = raw(TestJson.text(tree));
        return new HostileBody(text.getBytes(StandardCharsets.UTF_8), damaged, true);
    }

    /** Returns a body that is damaged as text. */
    static HostileBody damaged(JsonNode described, Random random) {
        String text = TestJson.text(described);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] damaged =
                switch (random.nextInt(9)) {
                    case 0 -> WHOLE.get(random.nextInt(WHOLE.size())).getBytes(StandardCharsets.UTF_8);
                    case 1 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
                    case 2 -> text.getBytes(StandardCharsets.UTF_16);
                    case 3 -> text.getBytes(StandardCharsets.ISO_8859_1);
                    case 4 -> repeatFirstName(text).getBytes(StandardCharsets.UTF_8);
                    case 5 -> ("[".repeat(5_000) + text + "]".repeat(5_000)).getBytes(StandardCharsets.UTF_8);
                    case 6 -> (text + " ".repeat(300_000)).getBytes(StandardCharsets.UTF_8);
                    default -> noise(bytes, random);
                };
        return new HostileBody(damaged, Set.of(), false);
    }

    /** Returns the text with its first name repeated. */
    private static String repeatFirstName(String text) {
        int end = text.indexOf(':');
        return end < 0 ? text + text : text.substring(0, end) + ":null," + text.substring(1);
    }

    private static byte[] noise(byte[] bytes, Random random) {
        byte[] noisy = bytes.clone();
        for (int i = 0; noisy.length > 0 && i <= random.nextInt(4); i++) {
            noisy[random.nextInt(noisy.length)] = (byte) random.nextInt(256);
        }
        return noisy;
    }

    /**
     * A place in a tree.
     *
     * @param field the top-level field that contains it
     * @param change changes the value
     */
    private record Place(String field, Consumer<Random> change) {}

    private static void collect(JsonNode node, String field, List<Place> places, int depth) {
        if (node instanceof ObjectNode object) {
            places.add(new Place(field.isEmpty() ? "no_such_field" : field, random -> object.put("no_such_field", 1)));
            for (String name : names(object)) {
                String top = field.isEmpty() ? name : field;
                places.add(new Place(top, random -> object.set(name, value(random))));
                places.add(new Place(top, random -> object.remove(name)));
                collect(object.path(name), top, places, depth + 1);
            }
        } else if (node instanceof ArrayNode array && !array.isEmpty()) {
            places.add(new Place(field, random -> array.set(random.nextInt(array.size()), value(random))));
            places.add(new Place(field, random -> repeat(array, random)));
            collect(array.get(0), field, places, depth + 1);
        }
    }

    private static void repeat(ArrayNode array, Random random) {
        JsonNode first = array.get(0);
        for (int i = 0; i < (random.nextBoolean() ? 3 : 3_000); i++) {
            array.add(first);
        }
    }

    private static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static JsonNode value(Random random) {
        return switch (random.nextInt(30)) {
            case 0 -> TextNode.valueOf("x".repeat(1 << random.nextInt(18)));
            case 1 -> TextNode.valueOf(RAW + (VALUES.size() + random.nextInt(60)));
            default -> TextNode.valueOf(RAW + random.nextInt(VALUES.size()));
        };
    }

    private static String raw(String text) {
        StringBuilder all = new StringBuilder();
        int from = 0;
        for (int at = text.indexOf("\"" + RAW); at >= 0; at = text.indexOf("\"" + RAW, from)) {
            int end = text.indexOf('"', at + 1);
            int index = Integer.parseInt(text.substring(at + 1 + RAW.length(), end));
            int deep = index - VALUES.size();
            all.append(text, from, at).append(deep < 0 ? VALUES.get(index) : "[".repeat(deep) + "]".repeat(deep));
            from = end + 1;
        }
        return all.append(text.substring(from)).toString();
    }
}
