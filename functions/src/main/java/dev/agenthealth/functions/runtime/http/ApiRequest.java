package dev.agenthealth.functions.runtime.http;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.ReceivedText;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.HostName;
import dev.agenthealth.model.identity.Ids;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request of API Gateway (HTTP API, payload format 2.0) or of a function URL. The route key of a function URL is {@link #NO_ROUTE}.
 *
 * <p>Path and query values arrive decoded and are not decoded again; header names arrive in lower case. Not thread-safe.
 */
public final class ApiRequest {

    /** Maximum size of a request body, in bytes. */
    public static final int MAX_BODY_BYTES = 256 * 1024;

    /** The route key of a request if the function itself has to find the route. */
    public static final String NO_ROUTE = "$default";

    /** The maximum length of an IPv6 address that ends with an IPv4 address, in characters. */
    private static final int MAX_ADDRESS = 45;

    private static final String BEARER = "Bearer ";

    private final APIGatewayV2HTTPEvent event;
    private Caller caller;
    private TokenCipher tokenCipher;
    private String publicUrl = "";
    private boolean forwarded;
    private boolean namedByGateway;

    public ApiRequest(APIGatewayV2HTTPEvent event) {
        this.event = event;
    }

    /** Returns the method and path template, such as {@code GET /api/v1/agents/{agent_id}}. */
    public String routeKey() {
        return orEmpty(event.getRouteKey());
    }

    /** Returns the HTTP method in upper case; empty if the event has none. */
    public String method() {
        APIGatewayV2HTTPEvent.RequestContext context = event.getRequestContext();
        return context == null || context.getHttp() == null
                ? ""
                : orEmpty(context.getHttp().getMethod());
    }

    /** Returns the path as requested. */
    public String path() {
        return orEmpty(event.getRawPath());
    }

    /** Returns API Gateway's id of this request; empty if the event has none. */
    public String requestId() {
        APIGatewayV2HTTPEvent.RequestContext context = event.getRequestContext();
        return context == null ? "" : orEmpty(context.getRequestId());
    }

    /** Returns the agent in the path; empty if the path names no agent or an invalid id. */
    public String agentId() {
        String id = pathText("agent_id");
        return Ids.isValid(id) ? id : "";
    }

    /** Sets the caller, whose key is valid. */
    public void identify(Caller valid) {
        caller = valid;
    }

    /** Returns the caller; empty if its key was not looked up. */
    public Optional<Caller> knownCaller() {
        return Optional.ofNullable(caller);
    }

    /**
     * Returns the caller, on a route that requires a valid key.
     *
     * @throws IllegalStateException if the key was not looked up
     */
    public Caller caller() {
        return knownCaller().orElseThrow(() -> new IllegalStateException("the route requires no valid key"));
    }

    /**
     * Returns the author of the change, on a route that requires a valid key.
     *
     * @throws IllegalStateException if the key was not looked up
     */
    public Author author() {
        return author(Optional.of(caller()));
    }

    /** Returns the author of a refused request, as far as it is known. */
    public Author author(Optional<Caller> known) {
        return new Author(known.orElse(Author.UNKNOWN), address(), requestId());
    }

    /**
     * Returns the address of the caller, which is the address that a trusted proxy reports if it forwarded the request. Empty if the
     * address is unknown.
     */
    public String address() {
        APIGatewayV2HTTPEvent.RequestContext context = event.getRequestContext();
        String peer = context == null || context.getHttp() == null
                ? ""
                : orEmpty(context.getHttp().getSourceIp());
        if (!forwarded) {
            return peer;
        }
        List<String> seen = List.of(header("x-forwarded-for").split(",", -1));
        // API Gateway appends the proxy's address; the caller itself may have written the addresses before it.
        int last = seen.size() - (seen.get(seen.size() - 1).trim().equals(peer) ? 2 : 1);
        String client = last >= 0 ? seen.get(last).trim() : "";
        return client.isEmpty() || client.length() > MAX_ADDRESS ? peer : client;
    }

    /**
     * Sets the address to which the caller sent the request, which a trusted proxy forwarded. If the URL is empty, the proxy's headers
     * decide, and then the event.
     *
     * @param url such as {@code https://agents.example.com}
     */
    public void forwardedFrom(String url) {
        String host = HostName.normalized(header("x-forwarded-host"));
        forwarded = true;
        publicUrl = url.isEmpty() && HostName.isValid(host) ? "https://" + host : url;
    }

    /**
     * Sets the address of the API that responses name, whatever host the caller sent the request to.
     *
     * @param url such as {@code https://agents.example.com}; it may have a path that a proxy strips
     */
    public void servedAt(String url) {
        publicUrl = url;
    }

    /** Sets that the event's domain name belongs to API Gateway. Other servers pass on the host that the caller chose. */
    public void namedByGateway() {
        namedByGateway = true;
    }

    /** Sets the cipher that encrypts the page tokens of the answer. */
    public void encryptTokensWith(TokenCipher cipher) {
        tokenCipher = cipher;
    }

    TokenCipher tokenCipher() {
        return tokenCipher;
    }

    /** Returns the API key of {@code X-API-Key}, else of {@code Authorization: Bearer}; empty if the caller sent none. */
    public String apiKey() {
        String authorization = header("authorization");
        boolean isBearer = authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return hasHeader("x-api-key") || !isBearer
                ? header("x-api-key")
                : authorization.substring(BEARER.length()).trim();
    }

    /**
     * Returns whether a header was sent, even if it is empty.
     *
     * @param name the header's name in lower case
     */
    public boolean hasHeader(String name) {
        return orEmpty(event.getHeaders()).containsKey(name);
    }

    /**
     * Returns a header; empty if it was not sent.
     *
     * @param name the header's name in lower case
     */
    public String header(String name) {
        return orEmpty(orEmpty(event.getHeaders()).get(name)).trim();
    }

    /**
     * Returns an id in the path.
     *
     * @throws ApiError 400 if the text is not an id
     */
    public String pathId(String name) {
        String id = pathText(name);
        if (!Ids.isValid(id)) {
            throw ApiError.invalid(List.of(new FieldError(name, Ids.RULE)));
        }
        return id;
    }

    /** Returns a text in the path, whatever its form. */
    public String pathText(String name) {
        return orEmpty(pathParameters().get(name));
    }

    Map<String, String> pathParameters() {
        return orEmpty(event.getPathParameters());
    }

    private String domain() {
        APIGatewayV2HTTPEvent.RequestContext context = event.getRequestContext();
        return context == null ? "" : orEmpty(context.getDomainName());
    }

    /** Returns the address of the API as the caller sees it. */
    public ServedAddress served() {
        return new ServedAddress(
                publicUrl,
                namedByGateway,
                header("x-forwarded-proto"),
                header("host"),
                domain(),
                header(forwarded && !publicUrl.isEmpty() ? "x-forwarded-host" : "host"));
    }

    /** Returns a query parameter; empty if it was not sent. */
    public String query(String name) {
        return orEmpty(queryParameters().get(name));
    }

    /** Returns the query parameters. {@link Fields#check} refuses parameters that the handler does not read. */
    public Fields queryFields() {
        return Fields.ofQuery(queryParameters(), repeatedParameters());
    }

    /** Returns the query parameters except {@code name}. {@link Fields#check} refuses parameters that the handler does not read. */
    public Fields queryFieldsWithout(String name) {
        Map<String, String> parameters = new HashMap<>(queryParameters());
        parameters.remove(name);
        return Fields.ofQuery(parameters, repeatedParameters());
    }

    /** Returns only the query parameter {@code name}. Other parameters are ignored, because any page may link to a public document. */
    public Fields queryFieldsOfPublic(String name) {
        Map<String, String> parameters = new HashMap<>(queryParameters());
        parameters.keySet().retainAll(Set.of(name));
        return Fields.ofQuery(parameters, repeatedParameters());
    }

    private RepeatedParameters repeatedParameters() {
        return RepeatedParameters.of(orEmpty(event.getRawQueryString()));
    }

    /** Returns the query parameters by name. */
    public Map<String, String> queryParameters() {
        return orEmpty(event.getQueryStringParameters());
    }

    /**
     * Returns the body as text, without a byte order mark; empty if there is none.
     *
     * @throws ApiError 413 if it has more than {@link #MAX_BODY_BYTES}, 415 for an encoding other than gzip, 400 if it cannot be read
     */
    public String body() {
        return body(MAX_BODY_BYTES);
    }

    /**
     * Returns the body as text, without a byte order mark; empty if there is none.
     *
     * @param maxBytes its maximum size, decoded
     * @throws ApiError as {@link #body()}
     */
    public String body(int maxBytes) {
        byte[] bytes = bodyBytes(maxBytes);
        if (!event.getIsBase64Encoded() && encoding().equals(Optional.of(ContentEncoding.IDENTITY))) {
            return ReceivedText.of(orEmpty(event.getBody()));
        }
        try {
            return ReceivedText.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            throw ApiError.malformed("The request body is not valid UTF-8.");
        }
    }

    /**
     * Returns the decompressed body; empty if there is none.
     *
     * @param maxBytes its maximum size, as sent and decompressed
     * @throws ApiError 413 if it is larger, 415 for an encoding other than gzip, 400 if it cannot be read
     */
    public byte[] bodyBytes(int maxBytes) {
        return bodyBytes(maxBytes, maxBytes);
    }

    /**
     * Returns the decompressed body; empty if there is none.
     *
     * @param maxSentBytes its maximum size as sent
     * @param maxBytes its maximum size after it was decompressed
     * @throws ApiError 413 if it is larger, 415 for an encoding other than gzip, 400 if it cannot be read
     */
    public byte[] bodyBytes(int maxSentBytes, int maxBytes) {
        ContentEncoding encoding = encoding().orElseThrow(ApiError::unsupportedEncoding);
        String body = orEmpty(event.getBody());
        boolean base64 = event.getIsBase64Encoded();
        if (body.length() > (base64 ? (maxSentBytes / 3 + 1) * 4L : maxSentBytes)) {
            throw ApiError.tooLarge(maxSentBytes);
        }
        byte[] bytes = base64 ? decoded(body) : body.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > maxSentBytes) {
            throw ApiError.tooLarge(maxSentBytes);
        }
        return encoding.decoded(bytes, maxBytes);
    }

    /**
     * Returns the first bytes of the decompressed body, for a route that answers whatever the body is.
     *
     * @param maxBytes the maximum number of bytes to read
     */
    public BodyStart bodyStart(int maxBytes) {
        Optional<ContentEncoding> encoding = encoding();
        if (encoding.isEmpty()) {
            return new BodyStart(new byte[0], false, "has a Content-Encoding other than gzip");
        }
        String body = orEmpty(event.getBody());
        boolean base64 = event.getIsBase64Encoded();
        if (encoding.get() == ContentEncoding.IDENTITY) {
            int length = base64 ? (maxBytes / 3 + 1) * 4 : maxBytes;
            String start = body.substring(0, Math.min(length, body.length()));
            BodyStart read =
                    encoding.get().start(base64 ? decoded(start) : start.getBytes(StandardCharsets.UTF_8), maxBytes);
            return new BodyStart(read.bytes(), read.isWhole() && start.length() == body.length(), read.fault());
        }
        return encoding.get().start(base64 ? decoded(body) : body.getBytes(StandardCharsets.UTF_8), maxBytes);
    }

    private Optional<ContentEncoding> encoding() {
        return ContentEncoding.find(header("content-encoding"));
    }

    /**
     * Returns the fields of the JSON object in the body.
     *
     * @throws ApiError 400 if the body is no JSON object, 413 if it is too large
     */
    public Fields fields() {
        return Fields.ofBody(body());
    }

    /**
     * Returns the fields of the body; empty if the request has no body.
     *
     * @throws ApiError as {@link #fields}
     */
    public Optional<Fields> fieldsIfAny() {
        String body = body();
        return body.isBlank() ? Optional.empty() : Optional.of(Fields.ofBody(body));
    }

    /**
     * Returns the fields of the body, or no fields if the request has no body.
     *
     * @throws ApiError 400 if there is a body that is not a JSON object
     */
    public Fields optionalFields() {
        return fieldsIfAny().orElseGet(() -> Fields.ofBody("{}"));
    }

    /** Returns the preconditions of the change, from the request's headers. */
    public Preconditions preconditions() {
        return new Preconditions(header("if-match"), header("if-none-match"));
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw ApiError.malformed("The request body cannot be read.");
        }
    }

    private static String orEmpty(String value) {
        return value == null ? "" : value;
    }

    private static Map<String, String> orEmpty(Map<String, String> map) {
        return map == null ? Map.of() : map;
    }
}
