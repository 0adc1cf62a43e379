package dev.agenthealth.functions.contract;

import dev.agenthealth.testkit.GeneratedText;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The API's definition and the permissions to invoke its functions, as they are in {@code deploy/api.yaml} and {@code template.yaml}. SAM would make a permission for each
 * route, and the policy of a function may have 20,480 bytes; here a function has one permission for this API, whose definition names its routes.
 */
final class RoutesInTemplate {

    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+\\+?)}");
    private static final String ANY_METHOD = "x-amazon-apigateway-any-method";
    private static final String REFERENCE =
            "x-amazon-apigateway-integration: { $ref: \"#/components/x-amazon-apigateway-integrations/%s\" }";

    private RoutesInTemplate() {}

    /**
     * Returns the definition of the API. CloudFormation includes it in the template, and takes only the long form of functions there.
     *
     * @param routes the keys of the routes of each function, by its logical id
     */
    static String definition(Map<String, Set<String>> routes) {
        Map<String, Map<String, String>> paths = paths(routes);
        RoutesOfEveryMethod.of(paths).forEach((path, function) -> paths.computeIfAbsent(path, added -> new TreeMap<>())
                .put(ANY_METHOD, function));
        StringBuilder text = new StringBuilder(
                """
                # The API, which `sam deploy` uploads and CloudFormation includes in template.yaml: functions of CloudFormation have their long form here.
                # Written from the routes of the functions by "%s"; not to be edited by hand.
                openapi: 3.0.1
                info: { title: { Ref: "AWS::StackName" }, version: "1.0" }
                servers: [{ x-amazon-apigateway-endpoint-configuration: { disableExecuteApiEndpoint: { "Fn::If": [DisablesDefaultEndpoint, true, false] } } }]
                components:
                  x-amazon-apigateway-integrations:
                """
                        .formatted(GeneratedText.COMMAND));
        routes.keySet()
                .forEach(function -> text.append(
                        """
                            %1$s: { type: aws_proxy, httpMethod: POST, payloadFormatVersion: "2.0",
                              uri: { "Fn::Sub": ["arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Alias}/invocations", { Alias: { Ref: %1$s.Alias } }] } }
                        """
                                .formatted(function)));
        text.append("paths:\n");
        paths.forEach((path, operations) -> {
            text.append("  \"").append(path).append("\":\n");
            operations.forEach((method, function) -> text.append("    ")
                    .append(method)
                    .append(": { ")
                    .append(parameters(path))
                    .append("responses: {}, ")
                    .append(REFERENCE.formatted(function))
                    .append(" }\n"));
        });
        return text.toString();
    }

    /** Returns the function of each method of each path. */
    private static Map<String, Map<String, String>> paths(Map<String, Set<String>> routes) {
        Map<String, Map<String, String>> paths = new TreeMap<>();
        routes.forEach((function, keys) -> keys.forEach(key -> paths.computeIfAbsent(path(key), path -> new TreeMap<>())
                .put(key.substring(0, key.indexOf(' ')).toLowerCase(Locale.ROOT), function)));
        return paths;
    }

    private static String path(String routeKey) {
        return routeKey.substring(routeKey.indexOf(' ') + 1);
    }

    private static String parameters(String path) {
        String parameters = PARAMETER
                .matcher(path)
                .results()
                .map(parameter -> "{ name: " + parameter.group(1) + ", in: path, required: true }")
                .collect(Collectors.joining(", "));
        return parameters.isEmpty() ? "" : "parameters: [" + parameters + "], ";
    }

    /** Returns the permissions of the API to invoke the functions. */
    static String permissions(Set<String> functions) {
        StringBuilder text = new StringBuilder();
        functions.forEach(function -> text.append(
                """
                  %1$sApiPermission:
                    Type: AWS::Lambda::Permission
                    Properties: { Action: lambda:InvokeFunction, FunctionName: !Ref %1$s.Alias, Principal: apigateway.amazonaws.com,
                      SourceArn: !Sub "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${HttpApi}/*" }

                """
                        .formatted(function)));
        return text.toString();
    }
}
