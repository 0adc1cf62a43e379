package dev.agenthealth.template;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a template is resolved against: the answers a deployment would give. Immutable.
 *
 * @param parameters values given for template parameters; a parameter not named here takes its default
 * @param attributes values given for attributes of resources, keyed {@code LogicalId.Attribute}; they win over the
 *     names this package makes up (for example {@code HttpApi.ApiEndpoint})
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

    /** A stack named {@code agent-health} in {@code us-east-1}, account {@code 000000000000}, with nothing overridden. */
    public static Resolution local() {
        return new Resolution(Map.of(), Map.of(), "agent-health", "us-east-1", "000000000000");
    }

    /** The same resolution with one parameter's value given. */
    public Resolution withParameter(String name, String value) {
        return new Resolution(with(parameters, name, value), attributes, stackName, region, accountId);
    }

    /** The same resolution with one attribute's value given. */
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
