package dev.agenthealth.functions.coordination;

import dev.agenthealth.functions.coordination.YamlNode.Entry;
import dev.agenthealth.functions.coordination.YamlNode.Mapping;
import dev.agenthealth.functions.coordination.YamlNode.Scalar;
import dev.agenthealth.functions.coordination.YamlNode.Sequence;
import dev.agenthealth.functions.http.Problem;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
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
 * Reads a YAML text of a stranger, which may be JSON, into {@link YamlNode}s.
 *
 * <p>Taken is what says the same to every reader: one document, without tags, anchors, aliases and repeated keys, nested {@link #MAX_DEPTH}
 * levels deep at most. It is read event by event, without recursion, and nothing in it is expanded, so that no text can cost more than its
 * length. Not thread-safe.
 */
final class YamlText {

    /** The deepest nesting of lists and mappings. */
    static final int MAX_DEPTH = 20;

    private final String text;
    private final YamlFaults faults;
    private final Deque<Frame> open = new ArrayDeque<>();
    private Optional<YamlNode> root = Optional.empty();

    private YamlText(String text, YamlFaults faults) {
        this.text = text;
        this.faults = faults;
    }

    /** A list or mapping that is being read. */
    private static final class Frame {

        private final YamlNode node;
        private final String path;
        private Optional<Scalar> key = Optional.empty();

        Frame(YamlNode node, String path) {
            this.node = node;
            this.path = path;
        }

        boolean awaitsKey() {
            return node instanceof Mapping && key.isEmpty();
        }

        /** The path of the value that comes next; of the mapping itself, where that is a key. */
        String nextPath() {
            if (node instanceof Sequence sequence) {
                return path + "[" + sequence.elements().size() + "]";
            }
            String name = key.map(Scalar::text).orElse("");
            return path.isEmpty() || name.isEmpty() ? path + name : path + "." + name;
        }
    }

    /**
     * The mapping that the text is.
     *
     * @param faults is given the faults that do not keep the rest from being read
     * @throws Problem 400 where the text cannot be read, or is something else than one mapping
     */
    static Mapping read(String text, YamlFaults faults) {
        YamlNode root = new YamlText(text, faults).root();
        if (root instanceof Mapping mapping) {
            return mapping;
        }
        throw YamlFaults.fatal("", root.line(), "must be a mapping with an 'agents' section");
    }

    private YamlNode root() {
        LoadSettings settings = LoadSettings.builder()
                .setLabel("the request body")
                .setCodePointLimit(text.length() + 1)
                .build();
        try {
            Iterator<Event> events = new Parse(settings).parseString(text).iterator();
            while (events.hasNext()) {
                take(events.next());
            }
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark()
                    .or(e::getContextMark)
                    .map(mark -> mark.getLine() + 1)
                    .orElse(1);
            throw YamlFaults.fatal("", line, "is not valid YAML: " + e.getProblem());
        } catch (ReaderException e) {
            throw YamlFaults.fatal("", lineOf(e.getPosition()), "holds a character that YAML does not allow");
        } catch (YamlEngineException | NumberFormatException e) {
            throw YamlFaults.fatal("", 1, "is not valid YAML");
        }
        return root.orElseThrow(() -> YamlFaults.fatal("", 1, "needs a YAML or JSON mapping as its body"));
    }

    private int lineOf(int position) {
        int end = Math.min(position, text.codePointCount(0, text.length()));
        return 1 + (int) text.codePoints().limit(end).filter(c -> c == '\n').count();
    }

    private void take(Event event) {
        if (event instanceof DocumentStartEvent && root.isPresent()) {
            throw YamlFaults.fatal("", line(event), "must be one document");
        }
        if (event instanceof CollectionEndEvent) {
            Frame closed = open.pop();
            place(closed.node);
        } else if (event instanceof NodeEvent node) {
            take(node);
        }
    }

    private void take(NodeEvent event) {
        Frame parent = open.peek();
        String path = parent == null ? "" : parent.nextPath();
        int line = line(event);
        if (event instanceof AliasEvent) {
            throw YamlFaults.fatal(path, line, "must not be an alias");
        }
        if (event.getAnchor().isPresent()) {
            faults.add(path, line, "must not have an anchor");
        }
        if (tag(event).isPresent()) {
            faults.add(path, line, "must not have a tag");
        }
        if (event instanceof ScalarEvent scalar) {
            if (isBroken(scalar.getValue())) {
                throw YamlFaults.fatal("", line, "holds a text that is not valid Unicode");
            }
            place(new Scalar(scalar.getValue(), scalar.isPlain(), line));
            return;
        }
        if (parent != null && parent.awaitsKey()) {
            throw YamlFaults.fatal(path, line, "must have plain texts as keys");
        }
        if (open.size() == MAX_DEPTH) {
            throw YamlFaults.fatal(path, line, "is nested deeper than " + MAX_DEPTH + " levels");
        }
        open.push(new Frame(event instanceof MappingStartEvent ? Mapping.in(line) : Sequence.in(line), path));
    }

    /** A half of a surrogate pair, which an escape can smuggle in, cannot be written as UTF-8. */
    private static boolean isBroken(String text) {
        return text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static Optional<String> tag(NodeEvent event) {
        if (event instanceof ScalarEvent scalar) {
            return scalar.getTag();
        }
        return event instanceof CollectionStartEvent collection ? collection.getTag() : Optional.empty();
    }

    /** Puts a value that is complete where it belongs. */
    private void place(YamlNode value) {
        Frame parent = open.peek();
        if (parent == null) {
            root = Optional.of(value);
        } else if (parent.node instanceof Sequence sequence) {
            sequence.elements().add(value);
        } else if (parent.node instanceof Mapping mapping) {
            if (parent.key.isEmpty()) {
                // Whatever is open in a mapping is a value: collections are refused as keys.
                parent.key = Optional.of((Scalar) value);
            } else {
                put(mapping, parent, value);
                parent.key = Optional.empty();
            }
        }
    }

    private void put(Mapping mapping, Frame parent, YamlNode value) {
        Scalar key = parent.key.orElseThrow();
        Entry earlier = mapping.entries().putIfAbsent(key.text(), new Entry(key.line(), value));
        if (earlier != null) {
            faults.add(parent.nextPath(), key.line(), "is repeated; it stands already in line " + earlier.line());
        }
    }

    private static int line(Event event) {
        return event.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }
}
