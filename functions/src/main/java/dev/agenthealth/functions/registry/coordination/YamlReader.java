package dev.agenthealth.functions.registry.coordination;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads an untrusted YAML or JSON text as a tree of JSON nodes. Not thread-safe.
 *
 * <p>Accepts only YAML that every reader understands in the same way: one document without tags, anchors, aliases and duplicate keys,
 * nested at most {@link #MAX_DEPTH} levels deep. Nothing is expanded, so the length of a text limits its cost.
 */
final class YamlReader {

    /** The maximum nesting of lists and mappings. */
    static final int MAX_DEPTH = 20;

    private static final Pattern NULL = Pattern.compile("|~|[nN]ull|NULL");
    private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]{0,9})");
    private static final Pattern NUMBER = Pattern.compile(
            "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Iterator<Event> events;
    private final YamlErrors errors;
    private int depth;

    private YamlReader(Iterator<Event> events, YamlErrors errors) {
        this.events = events;
        this.errors = errors;
    }

    /**
     * Reads a text that is one mapping.
     *
     * @param errors receives the lines of all fields, and the errors after which reading continues
     * @throws ApiError 400 if the text cannot be read or is not a mapping
     */
    static ObjectNode read(String text, YamlErrors errors) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel("the request body")
                .setCodePointLimit(text.length() + 1)
                // The library fails if a buffer ends between the two halves of a surrogate pair.
                .setBufferSize(text.length() + 2)
                .build();
        try {
            return new YamlReader(new Parse(settings).parseString(text).iterator(), errors).document();
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark()
                    .or(e::getContextMark)
                    .map(mark -> mark.getLine() + 1)
                    .orElse(1);
            throw YamlErrors.fatal("", line, "is not valid YAML: " + e.getProblem());
        } catch (ReaderException e) {
            throw YamlErrors.fatal("", lineOf(text, e.getPosition()), "holds a character that YAML does not allow");
        } catch (YamlEngineException | NumberFormatException e) {
            throw YamlErrors.fatal("", 1, "is not valid YAML");
        }
    }

    private static int lineOf(String text, int position) {
        int end = Math.min(position, text.codePointCount(0, text.length()));
        return 1 + (int) text.codePoints().limit(end).filter(c -> c == '\n').count();
    }

    private ObjectNode document() {
        events.next(); // The start of the stream.
        Event start = events.next();
        if (!(start instanceof DocumentStartEvent)) {
            throw YamlErrors.fatal("", 1, "needs a YAML or JSON mapping as its body");
        }
        NodeEvent content = (NodeEvent) events.next();
        JsonNode root = value(content, "");
        events.next(); // The end of the document.
        Event next = events.next();
        if (next instanceof DocumentStartEvent) {
            throw YamlErrors.fatal("", line(next), "must be one document");
        }
        if (!(root instanceof ObjectNode mapping)) {
            throw YamlErrors.fatal("", line(content), "must be a mapping with an 'agents' section");
        }
        return mapping;
    }

    private JsonNode value(NodeEvent event, String path) {
        check(event, path);
        if (event instanceof ScalarEvent scalar) {
            return scalar(scalar);
        }
        if (depth == MAX_DEPTH) {
            throw YamlErrors.fatal(path, line(event), "is nested deeper than " + MAX_DEPTH + " levels");
        }
        depth++;
        JsonNode collection = event instanceof MappingStartEvent ? mapping(path) : sequence(path);
        depth--;
        return collection;
    }

    private void check(NodeEvent event, String path) {
        if (event instanceof AliasEvent) {
            throw YamlErrors.fatal(path, line(event), "must not be an alias");
        }
        if (event.getAnchor().isPresent()) {
            errors.add(path, line(event), "must not have an anchor");
        }
        boolean tagged = event instanceof ScalarEvent scalar
                ? scalar.getTag().isPresent()
                : ((CollectionStartEvent) event).getTag().isPresent();
        if (tagged) {
            errors.add(path, line(event), "must not have a tag");
        }
        if (event instanceof ScalarEvent scalar && isBroken(scalar.getValue())) {
            throw YamlErrors.fatal("", line(event), "holds a text that is not valid Unicode");
        }
    }

    private ObjectNode mapping(String path) {
        ObjectNode mapping = NODES.objectNode();
        Map<String, Integer> keyLines = new HashMap<>();
        Event next = events.next();
        while (next instanceof NodeEvent key) {
            check(key, path);
            if (!(key instanceof ScalarEvent scalar)) {
                throw YamlErrors.fatal(path, line(key), "must have plain texts as keys");
            }
            String name = scalar.getValue();
            String field = path.isEmpty() ? name : path + "." + name;
            int line = line(key);
            errors.locate(field, line);
            JsonNode value = value((NodeEvent) events.next(), field);
            Integer earlier = keyLines.putIfAbsent(name, line);
            if (earlier == null) {
                mapping.set(name, value);
            } else {
                errors.add(field, line, "is repeated; it stands already in line " + earlier);
            }
            next = events.next();
        }
        return mapping;
    }

    private ArrayNode sequence(String path) {
        ArrayNode sequence = NODES.arrayNode();
        Event next = events.next();
        while (next instanceof NodeEvent element) {
            String field = path + "[" + sequence.size() + "]";
            errors.locate(field, line(element));
            sequence.add(value(element, field));
            next = events.next();
        }
        return sequence;
    }

    /**
     * Returns the value of a scalar. A plain scalar may be a number, a truth value or null. A number that is not whole, or has over 10
     * digits, becomes not-a-number.
     */
    private static JsonNode scalar(ScalarEvent scalar) {
        String text = scalar.getValue();
        if (!scalar.isPlain()) {
            return NODES.textNode(text);
        }
        if (NULL.matcher(text).matches()) {
            return NODES.nullNode();
        }
        if (WHOLE.matcher(text).matches()) {
            return NODES.numberNode(Long.parseLong(text));
        }
        if (NUMBER.matcher(text).matches()) {
            return NODES.numberNode(Double.NaN);
        }
        return BOOLEAN.matcher(text).matches()
                ? NODES.booleanNode(text.toLowerCase(Locale.ROOT).equals("true"))
                : NODES.textNode(text);
    }

    /** Returns whether a text contains half a surrogate pair, for example from an escape. UTF-8 cannot represent this text. */
    private static boolean isBroken(String text) {
        return text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static int line(Event event) {
        return event.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }
}
