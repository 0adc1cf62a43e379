package dev.agenthealth.functions.template;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** References in values of the template. */
final class References {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^!}][^}]*)}");

    private References() {}

    /** The parameters, resources ({@code Name} or {@code Name.Attribute}) and pseudo parameters that a value refers to. */
    static Set<String> in(Object value) {
        Set<String> found = new TreeSet<>();
        collect(value, found);
        return found;
    }

    /** The conditions that choose within a value. */
    static Set<String> conditionsIn(Object value) {
        Set<String> found = new TreeSet<>();
        if (value instanceof List<?> list) {
            list.forEach(element -> found.addAll(conditionsIn(element)));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, argument) -> {
                if (key.equals("Fn::If")) {
                    found.add(String.valueOf(TemplateText.list(argument).get(0)));
                }
                found.addAll(conditionsIn(argument));
            });
        }
        return found;
    }

    /** The placeholders of a text for {@code Fn::Sub}. */
    static Set<String> inText(String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = PLACEHOLDER.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static void collect(Object value, Set<String> found) {
        if (value instanceof List<?> list) {
            list.forEach(element -> collect(element, found));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, argument) -> {
                switch (String.valueOf(key)) {
                    case "Ref" -> found.add(String.valueOf(argument));
                    case "Fn::GetAtt" ->
                        found.add(String.join(
                                ".",
                                TemplateText.list(argument).stream()
                                        .map(String::valueOf)
                                        .toList()));
                    case "Fn::Sub" -> {
                        if (argument instanceof String text) {
                            found.addAll(inText(text));
                        } else {
                            List<?> arguments = TemplateText.list(argument);
                            Set<String> names = inText(String.valueOf(arguments.get(0)));
                            names.removeAll(TemplateText.map(arguments.get(1)).keySet());
                            found.addAll(names);
                            collect(arguments.get(1), found);
                        }
                    }
                    default -> collect(argument, found);
                }
            });
        }
    }
}
