package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Route;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The permissions of the API to invoke the functions. */
@Tag("SYS-03")
class InvokePermissionsTest {

    private static final String API = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${HttpApi}";

    /** Half of the bytes that Lambda takes. */
    private static final int MAX_POLICY_BYTES = 10_240;

    /** A statement of the policy with the longest names that AWS takes. */
    private static final String STATEMENT =
            """
            {"Sid":"%s","Effect":"Allow","Principal":{"Service":"apigateway.amazonaws.com"},"Action":"lambda:InvokeFunction",\
            "Resource":"arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:%s:live",\
            "Condition":{"ArnLike":{"AWS:SourceArn":"arn:aws-us-gov:execute-api:us-gov-west-1:123456789012:0123456789%s"}}},
            """;

    private final TemplateText text = new TemplateText();

    @Test
    void the_api_may_invoke_the_function_of_every_route() {
        Map<String, List<String>> allowed = allowedPaths();
        for (FunctionDefinition function : text.stack().functions()) {
            for (Route route : function.routes()) {
                assertThat(allowed.get(function.logicalId()))
                        .as(route.routeKey() + " of " + function.logicalId())
                        .anyMatch(pattern -> ("/$default/GET" + route.path())
                                .matches(Pattern.quote(pattern).replace("*", "\\E.*\\Q")));
            }
        }
    }

    @Test
    void the_resource_policy_of_a_function_stays_below_half_of_its_limit() {
        Map<String, List<String>> allowed = allowedPaths();
        assertThat(allowed).hasSize(6);
        allowed.forEach((function, paths) -> assertThat(paths.stream()
                        .map(path -> STATEMENT.formatted("s".repeat(100), "n".repeat(64), path))
                        .mapToInt(statement -> statement.getBytes(StandardCharsets.UTF_8).length)
                        .sum())
                .as(function)
                .isLessThan(MAX_POLICY_BYTES));
    }

    /** Returns the patterns of stage, method and path for which the API may invoke a function, by the function's logical id. */
    private Map<String, List<String>> allowedPaths() {
        Map<String, List<String>> allowed = new HashMap<>();
        text.properties("AWS::Lambda::Permission").forEach((logicalId, permission) -> {
            if ("apigateway.amazonaws.com".equals(permission.get("Principal"))) {
                String source = String.valueOf(TemplateText.at(permission, "SourceArn", "Fn::Sub"));
                String function = String.valueOf(TemplateText.at(permission, "FunctionName", "Ref"));
                assertThat(source).as(logicalId).startsWith(API);
                assertThat(function).as(logicalId).endsWith(".Alias");
                allowed.computeIfAbsent(function.replace(".Alias", ""), id -> new ArrayList<>())
                        .add(source.substring(API.length()));
            }
        });
        return allowed;
    }
}
