package dev.agenthealth.functions.testing;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.testkit.ApiContract;
import dev.agenthealth.testkit.ApiExchange;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends requests to functions in API Gateway's format; finds the route among those that the functions declare. Every request and response
 * is compared with the description of the API.
 */
public final class TestApi {

    private final Map<String, RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse>> handlers =
            new LinkedHashMap<>();

    private final List<Route> routes;
    private final Function<String, Runnable> around;
    private Consumer<ApiExchange> watcher = exchange -> {};

    public TestApi(List<HttpFunction> functions) {
        this(functions, body -> () -> {});
    }

    /** @param around is called with the body of each request before it is sent, and returns what runs after it */
    TestApi(List<HttpFunction> functions, Function<String, Runnable> around) {
        this.around = around;
        routes = functions.stream()
                .flatMap(function -> function.routes().all().stream())
                .toList();
        functions.forEach(function -> function.routes().keys().forEach(routeKey -> handlers.put(routeKey, function)));
    }

    /** A request about to be sent. */
    public final class Request {

        private final String method;
        private final String path;
        private final Map<String, String> headers = new HashMap<>();
        private final Map<String, String> query = new HashMap<>();
        private final StringJoiner rawQuery = new StringJoiner("&");
        private String domain = "";
        private String address = "";
        private String body;
        private boolean base64;
        private boolean described = true;

        private Request(String method, String path) {
            this.method = method;
            this.path = path;
        }

        public Request key(String apiKey) {
            return header("x-api-key", apiKey);
        }

        public Request header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /** Adds a query parameter. Values of the same name are joined by commas, as API Gateway does. */
        public Request query(String name, String value) {
            query.merge(name, value, (first, second) -> first + "," + second);
            rawQuery.add(encoded(name) + "=" + encoded(value));
            return this;
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }

        /** Sets the domain name of the request, as API Gateway passes it. */
        public Request domain(String name) {
            domain = name;
            return header("host", name).header("x-forwarded-proto", "https");
        }

        /** Sets the address from which the request comes, as API Gateway passes it. */
        public Request from(String sourceIp) {
            address = sourceIp;
            return this;
        }

        public Request body(String json) {
            body = json;
            return this;
        }

        /** Does not compare the exchange with the description, for items that no version of the system writes. */
        public Request undescribed() {
            described = false;
            return this;
        }

        /** A binary body, as API Gateway passes it. */
        public Request body(byte[] bytes) {
            body = Base64.getEncoder().encodeToString(bytes);
            base64 = true;
            return this;
        }

        /** Sends the request without a time limit; an unknown route fails the test. */
        public Response send() {
            return send(null);
        }

        /** Sends the request with the remaining time of this Lambda context. */
        public Response send(Context context) {
            for (var route : handlers.entrySet()) {
                Map<String, String> parameters = match(route.getKey());
                if (parameters != null) {
                    Runnable after = around.apply(body == null ? "" : body);
                    Response response =
                            new Response(route.getValue().handleRequest(event(route.getKey(), parameters), context));
                    after.run();
                    ApiExchange exchange = exchange(route.getKey(), response);
                    watcher.accept(exchange);
                    if (described) {
                        ApiContract.check(exchange);
                    }
                    return response;
                }
            }
            return sendForEveryMethod(context);
        }

        /** Sends the request by the route of its path that takes every method: the description has neither OPTIONS nor methods that are refused. */
        private Response sendForEveryMethod(Context context) {
            String resource = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            for (var route : handlers.entrySet()) {
                String template = route.getKey().substring(route.getKey().indexOf(' ') + 1);
                if (parameters(template, resource) != null) {
                    return new Response(route.getValue().handleRequest(event("ANY " + template, Map.of()), context));
                }
            }
            throw new AssertionError("no function answers " + method + " " + path);
        }

        private ApiExchange exchange(String routeKey, Response response) {
            String text = body == null ? "" : body;
            return new ApiExchange(
                    routeKey,
                    new ApiExchange.Request(
                            path,
                            query,
                            headers,
                            base64 ? new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8) : text),
                    new ApiExchange.Answer(
                            response.status(),
                            response.event().getHeaders(),
                            response.text() == null ? "" : response.text()));
        }

        private Map<String, String> match(String routeKey) {
            String[] parts = routeKey.split(" ", 2);
            return parts[0].equals(method) ? parameters(parts[1], path) : null;
        }

        private static Map<String, String> parameters(String template, String path) {
            String[] wanted = template.split("/", -1);
            String[] given = path.split("/", -1);
            if (wanted.length != given.length) {
                return null;
            }
            Map<String, String> parameters = new HashMap<>();
            for (int i = 0; i < wanted.length; i++) {
                if (wanted[i].startsWith("{")) {
                    parameters.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
                } else if (!wanted[i].equals(given[i])) {
                    return null;
                }
            }
            return parameters;
        }

        private APIGatewayV2HTTPEvent event(String routeKey, Map<String, String> parameters) {
            return APIGatewayV2HTTPEvent.builder()
                    .withVersion("2.0")
                    .withRouteKey(routeKey)
                    .withRawPath(path)
                    .withRawQueryString(rawQuery.toString())
                    .withHeaders(headers)
                    .withQueryStringParameters(query)
                    .withPathParameters(parameters)
                    .withRequestContext(APIGatewayV2HTTPEvent.RequestContext.builder()
                            .withDomainName(domain)
                            .withHttp(APIGatewayV2HTTPEvent.RequestContext.Http.builder()
                                    .withMethod(method)
                                    .withSourceIp(address)
                                    .build())
                            .build())
                    .withBody(body)
                    .withIsBase64Encoded(base64)
                    .build();
        }
    }

    /** A response. */
    public record Response(APIGatewayV2HTTPResponse event) {

        public int status() {
            return event.getStatusCode();
        }

        public String header(String name) {
            return event.getHeaders().getOrDefault(name, "");
        }

        public String text() {
            return event.getBody();
        }

        public JsonNode json() {
            return event.getBody() == null || event.getBody().isEmpty()
                    ? MissingNode.getInstance()
                    : Json.stored(event.getBody());
        }
    }

    /** Shows every later exchange to a watcher. */
    public void watch(Consumer<ApiExchange> every) {
        watcher = every;
    }

    /** The routes that the functions declare. */
    public List<Route> routes() {
        return routes;
    }

    public Request request(String method, String path) {
        return new Request(method, path);
    }

    public Request head(String path) {
        return new Request("HEAD", path);
    }

    public Request get(String path) {
        return new Request("GET", path);
    }

    public Request post(String path) {
        return new Request("POST", path);
    }

    public Request put(String path) {
        return new Request("PUT", path);
    }

    public Request patch(String path) {
        return new Request("PATCH", path);
    }

    public Request delete(String path) {
        return new Request("DELETE", path);
    }
}
