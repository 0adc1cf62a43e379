package dev.agenthealth.functions.api.routes;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.snapshot.RuntimeJson;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A request that warms up a function before its snapshot. The request reads and never writes. Its parameters name nothing that exists, and
 * its key is shorter than any issued key.
 */
public final class WarmUpRequest {

    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");
    private static final String UNKNOWN = "unknown";
    private static final Map<String, String> UNKNOWN_KEY = Map.of("x-api-key", UNKNOWN);

    private final String routeKey;
    private final Map<String, String> headers;
    private final String body;

    private WarmUpRequest(String routeKey, Map<String, String> headers, String body) {
        this.routeKey = routeKey;
        this.headers = headers;
        this.body = body;
    }

    /** Returns a request with an unknown key and an empty JSON object as body. The request ends with the look-up of the key. */
    public static WarmUpRequest withUnknownKey(String routeKey) {
        return withUnknownKey(routeKey, "{}");
    }

    /** Returns a request with an unknown key and this body, for a route that reads the body first. */
    public static WarmUpRequest withUnknownKey(String routeKey, String body) {
        return new WarmUpRequest(routeKey, UNKNOWN_KEY, body);
    }

    /** Returns a request for a route that needs no key and only reads. */
    public static WarmUpRequest withoutKey(String routeKey) {
        return new WarmUpRequest(routeKey, Map.of(), "");
    }

    /** Returns the request as API Gateway sends it. */
    APIGatewayV2HTTPEvent event() {
        return APIGatewayV2HTTPEvent.builder()
                .withRouteKey(routeKey)
                .withRawPath(path())
                .withHeaders(headers)
                .withPathParameters(parameters())
                .withBody(body)
                .build();
    }

    /** Returns the request, read from JSON by the library of the Lambda runtime. */
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
        return PARAMETER.matcher(routeKey.substring(routeKey.indexOf(' ') + 1)).replaceAll(UNKNOWN);
    }

    private Map<String, String> parameters() {
        return PARAMETER
                .matcher(routeKey)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toMap(name -> name, name -> UNKNOWN, (one, other) -> one, TreeMap::new));
    }
}
