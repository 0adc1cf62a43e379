package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import dev.agenthealth.dynamodb.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import software.amazon.awssdk.core.util.SdkAutoConstructMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** The attribute names and values for the placeholders of a request or of a transaction's element. Not thread-safe. */
public final class Arguments {

    private final Map<String, String> names;
    private final Map<String, AttributeValue> values;
    private final List<Placeholders> bound = new ArrayList<>(2);

    /**
     * Checks the placeholders and normalizes the values.
     *
     * @throws DynamoDbException if DynamoDB refuses a placeholder or a value
     */
    public Arguments(Map<String, String> names, Map<String, AttributeValue> values) {
        checkNames(names);
        this.names = names;
        this.values = normalized(values);
    }

    /**
     * Returns the arguments of a request, given the results of its getters.
     *
     * @throws DynamoDbException if DynamoDB refuses a placeholder or a value, or if a given map is empty
     */
    public static Arguments of(Map<String, String> names, Map<String, AttributeValue> values) {
        checkGiven("ExpressionAttributeNames", names);
        checkGiven("ExpressionAttributeValues", values);
        return new Arguments(names, values);
    }

    private static void checkGiven(String parameter, Map<?, ?> map) {
        if (map.isEmpty() && !(map instanceof SdkAutoConstructMap)) {
            throw DynamoDbErrors.invalid(parameter + " must not be empty");
        }
    }

    /**
     * Checks that the request's expressions use every name and value.
     *
     * @throws DynamoDbException if a name or a value is unused
     */
    public void checkAllUsed() {
        checkUsed("ExpressionAttributeNames", names.keySet(), Placeholders::names);
        checkUsed("ExpressionAttributeValues", values.keySet(), Placeholders::values);
    }

    /** Returns the names and values of one expression and marks them as used. */
    Binding bind(Placeholders placeholders, String kind) {
        bound.add(placeholders);
        List<String> attributes = placeholders.names();
        String[] boundNames = new String[attributes.size()];
        for (int i = 0; i < boundNames.length; i++) {
            boundNames[i] = name(attributes.get(i), kind);
        }
        List<String> keys = placeholders.values();
        AttributeValue[] boundValues = new AttributeValue[keys.size()];
        for (int i = 0; i < boundValues.length; i++) {
            boundValues[i] = value(keys.get(i), kind);
        }
        return new Binding(kind, boundNames, boundValues);
    }

    private String name(String attribute, String kind) {
        if (attribute.charAt(0) != '#') {
            return attribute;
        }
        String name = names.get(attribute);
        if (name == null) {
            throw DynamoDbErrors.invalid("Invalid " + kind
                    + ": An expression attribute name used in the document path is not defined; attribute name: "
                    + attribute);
        }
        return name;
    }

    private AttributeValue value(String key, String kind) {
        AttributeValue value = values.get(key);
        if (value == null) {
            throw DynamoDbErrors.invalid("Invalid " + kind
                    + ": An expression attribute value used in expression is not defined; attribute value: " + key);
        }
        return value;
    }

    private static void checkNames(Map<String, String> names) {
        for (Map.Entry<String, String> name : names.entrySet()) {
            checkKey("ExpressionAttributeNames", name.getKey(), '#');
            if (name.getValue().isEmpty()) {
                throw DynamoDbErrors.invalid("ExpressionAttributeNames contains invalid value:"
                        + " Empty attribute name for key " + name.getKey());
            }
        }
    }

    private static Map<String, AttributeValue> normalized(Map<String, AttributeValue> values) {
        Map<String, AttributeValue> normalized = values;
        for (Map.Entry<String, AttributeValue> value : values.entrySet()) {
            checkKey("ExpressionAttributeValues", value.getKey(), ':');
            try {
                AttributeValue usual = Values.normalized(value.getValue());
                if (usual != value.getValue()) {
                    normalized = normalized == values ? new HashMap<>(values) : normalized;
                    normalized.put(value.getKey(), usual);
                }
            } catch (DynamoDbException e) {
                throw DynamoDbErrors.invalid("ExpressionAttributeValues contains invalid value: "
                        + e.awsErrorDetails().errorMessage() + " for key " + value.getKey());
            }
        }
        return normalized;
    }

    private static void checkKey(String parameter, String key, char first) {
        boolean valid = key.length() > 1 && key.charAt(0) == first;
        for (int i = 1; valid && i < key.length(); i++) {
            valid = Token.isWordPart(key.charAt(i));
        }
        if (!valid) {
            throw DynamoDbErrors.invalid(parameter + " contains invalid key: Syntax error; key: \"" + key + "\"");
        }
    }

    private void checkUsed(String parameter, Set<String> given, Function<Placeholders, List<String>> used) {
        if (given.isEmpty()) {
            return;
        }
        Set<String> unused = new TreeSet<>();
        for (String key : given) {
            if (!isUsed(key, used)) {
                unused.add(key);
            }
        }
        if (!unused.isEmpty()) {
            throw DynamoDbErrors.invalid("Value provided in " + parameter + " unused in expressions: keys: {"
                    + String.join(", ", unused) + "}");
        }
    }

    private boolean isUsed(String key, Function<Placeholders, List<String>> used) {
        for (Placeholders placeholders : bound) {
            if (used.apply(placeholders).contains(key)) {
                return true;
            }
        }
        return false;
    }
}
