package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Turns YAML text into maps, lists, strings, numbers, booleans and nulls, and CloudFormation's short tags into their long form: {@code
 * !GetAtt A.B} into {@code {"Fn::GetAtt": ["A", "B"]}}.
 *
 * <p>Input is bounded: at most 1 MiB of text (CloudFormation's own limit), 10 aliases of collections, 100,000 nodes and 64 levels. No
 * document can exhaust the reader's memory or stack.
 */
final class YamlDocument {

    private static final int MAX_CODE_POINTS = 1 << 20;
    private static final int MAX_ALIASES = 10;
    private static final int MAX_NODES = 100_000;
    private static final int MAX_DEPTH = 64;

    private static final Set<String> SHORT_FUNCTIONS = Set.of("GetAtt", "Sub", "If", "Equals", "Not", "And");

    private final String origin;
    private int nodes;

    private YamlDocument(String origin) {
        this.origin = origin;
    }

    /**
     * @param origin the source of the text, for error messages
     * @throws TemplateException if the text is not a single YAML mapping within the bounds, or has an unknown tag
     */
    static Map<String, Object> read(String text, String origin) {
        if (text.codePointCount(0, text.length()) > MAX_CODE_POINTS) {
            throw new TemplateException(origin + ": longer than " + MAX_CODE_POINTS + " characters");
        }
        LoadSettings settings = LoadSettings.builder()
                .setLabel(origin)
                .setCodePointLimit(MAX_CODE_POINTS)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .setAllowDuplicateKeys(false)
                .build();
        try {
            Node root = new Compose(settings)
                    .composeString(text)
                    .orElseThrow(() -> new TemplateException(origin + ": is empty"));
            if (!(root instanceof MappingNode mapping)) {
                throw new TemplateException(origin + ": is not a mapping");
            }
            return new YamlDocument(origin).mapping(mapping, 0);
        } catch (YamlEngineException e) {
            throw new TemplateException(origin + ": " + e.getMessage(), e);
        }
    }

    private Object value(Node node, int depth) {
        if (++nodes > MAX_NODES) {
            throw at(node, "more than " + MAX_NODES + " values");
        }
        if (depth > MAX_DEPTH) {
            throw at(node, "nested deeper than " + MAX_DEPTH + " levels");
        }
        String tag = node.getTag().getValue();
        if (tag.startsWith("!")) {
            return intrinsic(tag.substring(1), node, depth);
        }
        if (!(node instanceof ScalarNode)
                && !node.getTag().equals(Tag.MAP)
                && !node.getTag().equals(Tag.SEQ)) {
            throw at(node, "unknown tag " + tag);
        }
        return content(node, depth);
    }

    private Object content(Node node, int depth) {
        if (node instanceof MappingNode mapping) {
            return mapping(mapping, depth);
        }
        if (node instanceof SequenceNode sequence) {
            return sequence(sequence, depth);
        }
        return scalar((ScalarNode) node);
    }

    private Map<String, Object> intrinsic(String name, Node node, int depth) {
        Object argument = node instanceof ScalarNode scalar ? scalar.getValue() : content(node, depth);
        if (name.equals("Ref") || name.equals("Condition")) {
            return Map.of(name, argument);
        }
        if (!SHORT_FUNCTIONS.contains(name)) {
            throw at(node, "unknown tag !" + name);
        }
        if (name.equals("GetAtt") && argument instanceof String path) {
            int dot = path.indexOf('.');
            if (dot <= 0 || dot == path.length() - 1) {
                throw at(node, "!GetAtt needs Resource.Attribute, not '" + path + "'");
            }
            return Map.of("Fn::GetAtt", List.of(path.substring(0, dot), path.substring(dot + 1)));
        }
        return Map.of("Fn::" + name, argument);
    }

    private Map<String, Object> mapping(MappingNode node, int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (NodeTuple entry : node.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw at(entry.getKeyNode(), "a key must be a scalar");
            }
            if (map.containsKey(key.getValue())) {
                throw at(key, "duplicate key '" + key.getValue() + "'");
            }
            map.put(key.getValue(), value(entry.getValueNode(), depth + 1));
        }
        return map;
    }

    private List<Object> sequence(SequenceNode node, int depth) {
        List<Object> list = new ArrayList<>();
        for (Node element : node.getValue()) {
            list.add(value(element, depth + 1));
        }
        return list;
    }

    private Object scalar(ScalarNode node) {
        String text = node.getValue();
        Tag tag = node.getTag();
        try {
            if (tag.equals(Tag.INT)) {
                return Long.valueOf(text);
            }
            if (tag.equals(Tag.FLOAT)) {
                return Double.valueOf(text);
            }
        } catch (NumberFormatException e) {
            throw new TemplateException(at(node, "not a number: '" + text + "'").getMessage(), e);
        }
        if (tag.equals(Tag.BOOL)) {
            return Boolean.valueOf(text);
        }
        if (tag.equals(Tag.NULL)) {
            return null;
        }
        if (tag.equals(Tag.STR)) {
            return text;
        }
        throw at(node, "unknown tag " + tag.getValue());
    }

    private TemplateException at(Node node, String problem) {
        String line = node.getStartMark()
                .map(mark -> ", line " + (mark.getLine() + 1))
                .orElse("");
        return new TemplateException(origin + line + ": " + problem);
    }
}
