package dev.agenthealth.dynamodb.expression;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A projection parsed once for all requests with the same text. Immutable.
 *
 * @param attributes the positions of the attributes among the names
 */
record ParsedProjection(List<Integer> attributes, Placeholders placeholders) {

    static final String KIND = "ProjectionExpression";

    static ParsedProjection parse(String text, String kind) {
        ExpressionReader reader = new ExpressionReader(text, kind);
        List<Integer> attributes = new ArrayList<>();
        do {
            attributes.add(reader.attribute());
        } while (reader.accept(","));
        reader.expectEnd();
        return new ParsedProjection(List.copyOf(attributes), reader.placeholders());
    }

    Set<String> bound(Arguments arguments) {
        Binding binding = arguments.bind(placeholders, KIND);
        Set<String> names = new LinkedHashSet<>();
        for (int attribute : attributes) {
            if (!names.add(binding.name(attribute))) {
                throw Overlaps.of(binding.name(attribute), binding);
            }
        }
        return Collections.unmodifiableSet(names);
    }
}
