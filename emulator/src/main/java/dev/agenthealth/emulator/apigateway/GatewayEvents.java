package dev.agenthealth.emulator.apigateway;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.RequestIds;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Turns a request into the event that an HTTP API passes to a function (payload format 2.0).
 *
 * <p>As in API Gateway, header names are in lower case, and commas join repeated headers and query parameters. Path and query values are
 * decoded once. Cookies are separate. A body is in base64 unless it is known to be text. Absent values are null.
 */
final class GatewayEvents {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** The form of a valid Host header. API Gateway's own name always has it; a caller's may not, and answers contain the name. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9.-]{1,253}");

    private final Clock clock;

    /** The text of the last second in which a request came. */
    private volatile Second second = new Second(Long.MIN_VALUE, "");

    private record Second(long epochSecond, String text) {}

    /** The domain of the last request, because most requests name the same host. */
    private volatile Domain domain = new Domain("", "localhost", "localhost");

    private record Domain(String host, String name, String prefix) {}

    GatewayEvents(Clock clock) {
        this.clock = clock;
    }

    /** @throws MalformedRequestException if the path or the query is not percent-encoded UTF-8 */
    APIGatewayV2HTTPEvent event(RawRequest request, RouteTable.Match<?> match) throws MalformedRequestException {
        Map<String, String> headers = joinedHeaders(request.headers());
        List<String> cookies = cookies(headers.remove("cookie"));
        String path = decodedPath(request.rawPath());
        APIGatewayV2HTTPEvent event = APIGatewayV2HTTPEvent.builder()
                .withVersion("2.0")
                .withRouteKey(match.routeKey())
                .withRawPath(path)
                .withRawQueryString(request.rawQuery())
                .withHeaders(headers)
                .withCookies(cookies.isEmpty() ? null : cookies)
                .withQueryStringParameters(orNull(queryParameters(request.rawQuery())))
                .withPathParameters(orNull(pathParameters(match.rawParameters())))
                .withRequestContext(context(request, match, headers, path))
                .build();
        setBody(event, request.body(), headers);
        return event;
    }

    private RequestContext context(
            RawRequest request, RouteTable.Match<?> match, Map<String, String> headers, String path) {
        Instant now = clock.instant();
        Domain domain = domain(headers.getOrDefault("host", ""));
        return RequestContext.builder()
                .withAccountId(EmulatedAccount.ID)
                .withApiId("local")
                .withDomainName(domain.name())
                .withDomainPrefix(domain.prefix())
                .withStage("$default")
                .withRouteKey(match.routeKey())
                .withRequestId(RequestIds.next())
                .withTime(text(now))
                .withTimeEpoch(now.toEpochMilli())
                .withHttp(RequestContext.Http.builder()
                        .withMethod(request.method())
                        .withPath(path)
                        .withProtocol(request.protocol())
                        .withSourceIp(request.sourceIp())
                        .withUserAgent(headers.getOrDefault("user-agent", ""))
                        .build())
                .build();
    }

    private String text(Instant now) {
        Second last = second;
        if (last.epochSecond() != now.getEpochSecond()) {
            last = new Second(now.getEpochSecond(), TIME.format(now));
            second = last;
        }
        return last.text();
    }

    private Domain domain(String host) {
        Domain last = domain;
        if (!last.host().equals(host)) {
            String name = withoutPort(host);
            String valid = NAME.matcher(name).matches() ? name : "localhost";
            last = new Domain(host, valid, before(valid, '.'));
            domain = last;
        }
        return last;
    }

    private static String withoutPort(String host) {
        int end = host.length();
        while (end > 0 && host.charAt(end - 1) >= '0' && host.charAt(end - 1) <= '9') {
            end--;
        }
        return end > 0 && end < host.length() && host.charAt(end - 1) == ':' ? host.substring(0, end - 1) : host;
    }

    private static String before(String text, char end) {
        int at = text.indexOf(end);
        return at < 0 ? text : text.substring(0, at);
    }

    private static Map<String, String> joinedHeaders(Map<String, List<String>> headers) {
        Map<String, String> joined = new HashMap<>();
        headers.forEach((name, values) -> joined.put(
                name, values.size() == 1 ? values.get(0) : String.join(name.equals("cookie") ? "; " : ",", values)));
        return joined;
    }

    private static List<String> cookies(String header) {
        if (header == null || header.isBlank()) {
            return List.of();
        }
        return List.of(header.strip().split(";\\s*"));
    }

    private static Map<String, String> pathParameters(Map<String, String> raw) throws MalformedRequestException {
        Map<String, String> decoded = new LinkedHashMap<>();
        for (Map.Entry<String, String> parameter : raw.entrySet()) {
            decoded.put(parameter.getKey(), PercentEncoding.decodePath(parameter.getValue()));
        }
        return decoded;
    }

    private static Map<String, String> queryParameters(String rawQuery) throws MalformedRequestException {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (rawQuery.isEmpty()) {
            return parameters;
        }
        for (String pair : rawQuery.split("&")) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = PercentEncoding.decodeQuery(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : PercentEncoding.decodeQuery(pair.substring(equals + 1));
                parameters.merge(name, value, (first, second) -> first + "," + second);
            }
        }
        return parameters;
    }

    private static String decodedPath(String rawPath) throws MalformedRequestException {
        if (rawPath.indexOf('%') < 0) {
            return PercentEncoding.decodePath(rawPath);
        }
        List<String> segments = new ArrayList<>();
        for (String segment : rawPath.split("/", -1)) {
            segments.add(PercentEncoding.decodePath(segment));
        }
        return String.join("/", segments);
    }

    private static void setBody(APIGatewayV2HTTPEvent event, byte[] body, Map<String, String> headers) {
        if (body.length == 0) {
            return;
        }
        Optional<String> text = isText(headers) ? utf8(body) : Optional.empty();
        event.setIsBase64Encoded(text.isEmpty());
        event.setBody(text.orElseGet(() -> Base64.getEncoder().encodeToString(body)));
    }

    private static boolean isText(Map<String, String> headers) {
        String type = before(headers.getOrDefault("content-type", ""), ';')
                .stripTrailing()
                .toLowerCase(Locale.ROOT);
        boolean textual = type.startsWith("text/")
                || type.equals("application/json")
                || type.equals("application/xml")
                || type.equals("application/javascript");
        return textual && !headers.containsKey("content-encoding");
    }

    private static Optional<String> utf8(byte[] body) {
        if (isAscii(body)) {
            return Optional.of(new String(body, StandardCharsets.US_ASCII));
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString());
        } catch (CharacterCodingException notText) {
            return Optional.empty();
        }
    }

    private static boolean isAscii(byte[] body) {
        for (byte b : body) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, String> orNull(Map<String, String> map) {
        return map.isEmpty() ? null : map;
    }
}
