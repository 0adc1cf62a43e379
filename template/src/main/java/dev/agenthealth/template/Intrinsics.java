package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces the template's intrinsic functions of CloudFormation by their results for one {@link Resolution}. */
final class Intrinsics {

    /** The result of {@code Ref: AWS::NoValue}: the key or element that holds it is removed. */
    private static final Object NO_VALUE = new Object();

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(!?)([^}]*)}");
    private static final String ALIAS = ".Alias";

    private final Map<String, Object> document;
    private final Resolution resolution;
    private final Parameters parameters;
    private final ResourceNames names;

    /** @param document the whole template, unresolved */
    Intrinsics(Map<String, Object> document, Resolution resolution) {
        this.document = document;
        this.resolution = resolution;
        this.parameters = new Parameters(section("Parameters"), resolution.parameters());
        this.names = new ResourceNames(resolution);
    }

    /** Returns the value with every intrinsic function in it replaced; null if nothing is left of it. */
    Object resolve(Object value) {
        Object resolved = replaced(value);
        return resolved == NO_VALUE ? null : resolved;
    }

    /** Returns true if the condition holds; a blank name always holds. */
    boolean holds(String condition) {
        if (condition.isBlank()) {
            return true;
        }
        Object definition = section("Conditions").values().get(condition);
        if (definition == null) {
            throw new TemplateException("condition " + condition + " is not defined");
        }
        return truth(definition);
    }

    private Object replaced(Object value) {
        if (value instanceof List<?> list) {
            List<Object> result = new ArrayList<>();
            for (Object element : list) {
                Object resolved = replaced(element);
                if (resolved != NO_VALUE) {
                    result.add(resolved);
                }
            }
            return result;
        }
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        if (map.size() == 1) {
            Map.Entry<?, ?> only = map.entrySet().iterator().next();
            String key = String.valueOf(only.getKey());
            // "Condition" alone is a reference only inside a condition; IAM statements have a key of the same name.
            if (key.equals("Ref") || key.startsWith("Fn::")) {
                return call(key, only.getValue());
            }
        }
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, element) -> {
            Object resolved = replaced(element);
            if (resolved != NO_VALUE) {
                result.put(String.valueOf(key), resolved);
            }
        });
        return result;
    }

    private Object call(String function, Object argument) {
        return switch (function) {
            case "Ref" -> ref(String.valueOf(argument));
            case "Fn::GetAtt" -> attribute(argument);
            case "Fn::Sub" -> sub(argument);
            case "Fn::If" -> {
                List<?> arguments = arguments(function, argument, 3);
                yield replaced(arguments.get(holds(text(function, arguments.get(0))) ? 1 : 2));
            }
            case "Fn::Equals", "Fn::Not", "Fn::And" -> truth(Map.of(function, argument));
            default -> throw new TemplateException(function + " is not supported");
        };
    }

    private Object ref(String name) {
        return switch (name) {
            case "AWS::NoValue" -> NO_VALUE;
            case "AWS::StackName" -> resolution.stackName();
            case "AWS::Region" -> resolution.region();
            case "AWS::AccountId" -> resolution.accountId();
            case "AWS::Partition" -> "aws";
            default -> parameters.declares(name) ? parameters.value(name) : refOfResource(name);
        };
    }

    private String refOfResource(String name) {
        if (name.endsWith(ALIAS)) {
            String logicalId = name.substring(0, name.length() - ALIAS.length());
            String alias = alias(logicalId)
                    .orElseThrow(() -> new TemplateException("Ref " + name + ": " + logicalId + " publishes no alias"));
            return names.aliasArn(nameOf(logicalId).orElse(logicalId), alias);
        }
        return names.ref(typeOf("Ref", name), name, nameOf(name));
    }

    private Optional<String> alias(String logicalId) {
        return properties(logicalId)
                .optionalText("AutoPublishAlias")
                .or(() -> section("Globals").child("Function").optionalText("AutoPublishAlias"));
    }

    private Object attribute(Object argument) {
        List<String> path = argument instanceof String text
                ? List.of(text.split("\\.", 2))
                : texts("Fn::GetAtt", arguments("Fn::GetAtt", argument, 2));
        if (path.size() != 2) {
            throw new TemplateException("Fn::GetAtt needs a resource and an attribute, not '" + argument + "'");
        }
        String logicalId = path.get(0);
        return names.attribute(typeOf("Fn::GetAtt", logicalId), logicalId, nameOf(logicalId), path.get(1));
    }

    private String sub(Object argument) {
        StringBuilder result = new StringBuilder();
        Matcher matcher = PLACEHOLDER.matcher(text("Fn::Sub", argument));
        while (matcher.find()) {
            String name = matcher.group(2).strip();
            matcher.appendReplacement(
                    result,
                    Matcher.quoteReplacement(matcher.group(1).isEmpty() ? placeholder(name) : "${" + name + "}"));
        }
        return matcher.appendTail(result).toString();
    }

    private String placeholder(String name) {
        boolean attribute = name.contains(".") && !name.endsWith(ALIAS);
        return text("Fn::Sub", Map.of(attribute ? "Fn::GetAtt" : "Ref", name));
    }

    private boolean truth(Object condition) {
        Section call = Section.of("condition", condition);
        if (call.values().size() != 1) {
            throw new TemplateException("a condition must be one function");
        }
        String function = call.values().keySet().iterator().next();
        Object argument = call.values().get(function);
        return switch (function) {
            case "Fn::Equals" -> {
                List<?> sides = arguments(function, argument, 2);
                yield text(function, sides.get(0)).equals(text(function, sides.get(1)));
            }
            case "Fn::Not" -> !truth(arguments(function, argument, 1).get(0));
            case "Fn::And" -> list(function, argument).stream().allMatch(this::truth);
            case "Condition" -> holds(text(function, argument));
            default -> throw new TemplateException(function + " is not a condition");
        };
    }

    private Section section(String name) {
        return new Section("template", document).child(name);
    }

    private Section properties(String logicalId) {
        return section("Resources").child(logicalId).child("Properties");
    }

    private String typeOf(String function, String logicalId) {
        return section("Resources")
                .child(logicalId)
                .optionalText("Type")
                .orElseThrow(() ->
                        new TemplateException(function + " " + logicalId + ": no parameter or resource of this name"));
    }

    private Optional<String> nameOf(String logicalId) {
        return ResourceNames.nameProperty(typeOf("Name of", logicalId))
                .map(property -> properties(logicalId).values().get(property))
                .map(this::resolve)
                .map(String::valueOf);
    }

    private static List<?> list(String function, Object argument) {
        if (argument instanceof List<?> list) {
            return list;
        }
        throw new TemplateException(function + " needs a list");
    }

    private static List<?> arguments(String function, Object argument, int count) {
        List<?> list = list(function, argument);
        if (list.size() != count) {
            throw new TemplateException(function + " needs " + count + " arguments, not " + list.size());
        }
        return list;
    }

    private String text(String function, Object value) {
        Object resolved = resolve(value);
        if (resolved == null || resolved instanceof Map<?, ?> || resolved instanceof List<?>) {
            throw new TemplateException(function + " needs a text where it has " + resolved);
        }
        return String.valueOf(resolved);
    }

    private List<String> texts(String function, Object value) {
        return list(function, resolve(value)).stream()
                .map(element -> text(function, element))
                .toList();
    }
}
