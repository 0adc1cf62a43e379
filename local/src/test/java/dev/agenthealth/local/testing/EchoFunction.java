package dev.agenthealth.local.testing;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Answers with what it was asked, or oddly when asked to. */
public final class EchoFunction implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

    private final Wiring wiring;

    public EchoFunction(Wiring wiring) {
        this.wiring = wiring;
    }

    @Override
    public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        Map<String, String> path = event.getPathParameters();
        return switch (event.getRouteKey()) {
            case "GET /odd/{what}" -> odd(path.get("what"), context);
            case "GET /environment/{name}" -> text(200, wiring.environment().getOrDefault(path.get("name"), ""));
            default ->
                APIGatewayV2HTTPResponse.builder()
                        .withStatusCode(200)
                        .withHeaders(Map.of("Content-Type", "application/json", "X-Id", path.get("id")))
                        .withBody(event.getBody())
                        .withIsBase64Encoded(event.getIsBase64Encoded())
                        .build();
        };
    }

    private static APIGatewayV2HTTPResponse odd(String what, Context context) {
        return switch (what) {
            case "throws" -> throw new IllegalStateException("a secret detail");
            case "overflows" -> {
                odd("overflows", context);
                yield text(200, "");
            }
            case "nothing" -> null;
            case "status" -> text(42, "");
            case "header" -> with(Map.of("X-Bad", "a\r\nb"), "");
            case "base64" -> {
                APIGatewayV2HTTPResponse response = text(200, "*** not base64 ***");
                response.setIsBase64Encoded(true);
                yield response;
            }
            case "binary" -> {
                APIGatewayV2HTTPResponse response =
                        text(200, Base64.getEncoder().encodeToString(new byte[] {0, (byte) 0xff, 1}));
                response.setIsBase64Encoded(true);
                yield response;
            }
            case "cookies" -> {
                APIGatewayV2HTTPResponse response = text(204, "");
                response.setCookies(List.of("a=1", "b=2"));
                response.setMultiValueHeaders(Map.of("X-Many", List.of("1", "2")));
                yield response;
            }
            case "length" -> with(Map.of("Content-Length", "9999", "Connection", "close"), "four");
            case "time" -> text(200, context.getFunctionName() + " " + context.getRemainingTimeInMillis());
            default -> text(404, "");
        };
    }

    private static APIGatewayV2HTTPResponse text(int status, String body) {
        APIGatewayV2HTTPResponse response = with(Map.of(), body);
        response.setStatusCode(status);
        return response;
    }

    private static APIGatewayV2HTTPResponse with(Map<String, String> headers, String body) {
        return APIGatewayV2HTTPResponse.builder()
                .withStatusCode(200)
                .withHeaders(headers)
                .withBody(body)
                .build();
    }
}
