package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the routes of an {@code AWS::Serverless::HttpApi} from its OpenAPI definition. */
final class ApiReader {

    private static final String INTEGRATION = "x-amazon-apigateway-integration";
    private static final String INTEGRATIONS = "x-amazon-apigateway-integrations";
    private static final String ANY_METHOD = "x-amazon-apigateway-any-method";
    private static final Pattern INVOCATION = Pattern.compile(".*:lambda:path/.*/functions/\\$\\{Alias}/invocations");
    private static final Pattern ALIAS = Pattern.compile("(\\w+)\\.Alias");

    private final Section definition;
    private final Map<String, List<Route>> routes = new LinkedHashMap<>();

    private ApiReader(Section definition) {
        this.definition = definition;
    }

    /**
     * Returns the routes in the definition's order, by the logical id of the function behind them.
     *
     * @param definition not resolved, since a resolved integration no longer names its function
     */
    static Map<String, List<Route>> routes(Section definition) {
        ApiReader reader = new ApiReader(definition);
        Section paths = definition.child("paths");
        paths.values().keySet().forEach(path -> reader.read(path, paths.child(path)));
        return reader.routes;
    }

    private void read(String path, Section operations) {
        if (!path.startsWith("/")) {
            throw new TemplateException(operations.place() + ": must begin with a slash");
        }
        for (String method : operations.values().keySet()) {
            String reference = operations.child(method).child(INTEGRATION).text("$ref");
            routes.computeIfAbsent(function(reference), logicalId -> new ArrayList<>())
                    .add(new Route(method.equals(ANY_METHOD) ? "ANY" : method.toUpperCase(Locale.ROOT), path));
        }
    }

    private String function(String reference) {
        String name = reference.replace("#/components/" + INTEGRATIONS + "/", "");
        Section uri =
                definition.child("components").child(INTEGRATIONS).child(name).child("uri");
        if (uri.values().get("Fn::Sub") instanceof List<?> arguments
                && arguments.size() == 2
                && INVOCATION.matcher(String.valueOf(arguments.get(0))).matches()) {
            Matcher alias = ALIAS.matcher(
                    Section.of(uri.place(), arguments.get(1)).child("Alias").text("Ref"));
            if (alias.matches()) {
                return alias.group(1);
            }
        }
        throw new TemplateException(uri.place() + ": must be the alias of a function");
    }
}
