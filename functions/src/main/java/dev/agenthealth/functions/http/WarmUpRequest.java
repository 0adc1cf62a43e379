package dev.agenthealth.functions.http;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.snapshot.RuntimeJson;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The request with which a function is primed before a snapshot: one that reads and never writes, whatever the tables hold. Its parameters
 * name nothing that there is, and its key is nobody's, so that it is looked up and not remembered.
 */
public final class WarmUpRequest {

    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");
    private static final String NOBODY = "nobody";

    /** Shorter than any key that is issued. */
    private static final Map<String, String> UNKNOWN_KEY = Map.of("x-api-key", NOBODY);

    private final String routeKey;
    private final Map<String, String> headers;
    private final String body;

    private WarmUpRequest(String routeKey, Map<String, String> headers, String body) {
        this.routeKey = routeKey;
        this.headers = headers;
        this.body = body;
    }

    /** A request for a route that looks up the caller's key first and ends there. */
    public static WarmUpRequest refused(String routeKey) {
        return new WarmUpRequest(routeKey, UNKNOWN_KEY, "{}");
    }

    /** The same with a JSON body, for a route that reads it first. */
    public static WarmUpRequest refused(String routeKey, String body) {
        return new WarmUpRequest(routeKey, UNKNOWN_KEY, body);
    }

    /** A request for a route that needs no key and only reads. */
    public static WarmUpRequest withoutKey(String routeKey) {
        return new WarmUpRequest(routeKey, Map.of(), "");
    }

    /** As the API hands it over. */
    APIGatewayV2HTTPEvent event() {
        return APIGatewayV2HTTPEvent.builder()
                .withRouteKey(routeKey)
                .withRawPath(path())
                .withHeaders(headers)
                .withPathParameters(parameters())
                .withBody(body)
                .build();
    }

    /** The same, read from JSON as the runtime does. */
    APIGatewayV2HTTPEvent decoded() {
        var json = Json.object().put("version", "2.0").put("routeKey", routeKey).put("rawPath", path());
        var shownHeaders = json.putObject("headers");
        headers.forEach(shownHeaders::put);
        var shownParameters = json.putObject("pathParameters");
        parameters().forEach(shownParameters::put);
        json.putObject("requestContext").put("requestId", "").putObject("http").put("path", path());
        json.put("body", body).put("isBase64Encoded", false);
        return RuntimeJson.event(APIGatewayV2HTTPEvent.class, Json.text(json));
    }

    private String path() {
        return PARAMETER.matcher(routeKey.substring(routeKey.indexOf(' ') + 1)).replaceAll(NOBODY);
    }

    private Map<String, String> parameters() {
        return PARAMETER
                .matcher(routeKey)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toMap(name -> name, name -> NOBODY, (one, other) -> one, TreeMap::new));
    }
}
