package dev.agenthealth.template;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The values of one deployment, with which a template is resolved. Immutable.
 *
 * @param parameters values of template parameters; a parameter without a value here takes its default
 * @param attributes values of attributes of resources, keyed {@code LogicalId.Attribute} (for example {@code HttpApi.ApiEndpoint}); an
 *     attribute without a value here is derived from the logical id
 * @param stackName {@code AWS::StackName}
 * @param region {@code AWS::Region}
 * @param accountId {@code AWS::AccountId}, twelve digits
 */
public record Resolution(
        Map<String, String> parameters,
        Map<String, String> attributes,
        String stackName,
        String region,
        String accountId) {

    public Resolution {
        parameters = Map.copyOf(parameters);
        attributes = Map.copyOf(attributes);
    }

    /**
     * Returns the resolution for a stack named {@code agent-health} in {@code us-east-1}, account {@code 000000000000}, without parameters
     * and attributes.
     */
    public static Resolution local() {
        return new Resolution(Map.of(), Map.of(), "agent-health", "us-east-1", "000000000000");
    }

    /** Returns this resolution with the value of one parameter. */
    public Resolution withParameter(String name, String value) {
        return new Resolution(with(parameters, name, value), attributes, stackName, region, accountId);
    }

    /** Returns this resolution with the value of one attribute. */
    public Resolution withAttribute(String logicalId, String attribute, String value) {
        return new Resolution(
                parameters, with(attributes, logicalId + "." + attribute, value), stackName, region, accountId);
    }

    private static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> copy = new LinkedHashMap<>(map);
        copy.put(key, value);
        return copy;
    }
}
