package dev.agenthealth.functions.registry.telemetry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.telemetry.Span;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The two encodings of OTLP/HTTP. An answer has the encoding of its request. */
enum OtlpEncoding {
    PROTOBUF("application/x-protobuf") {
        @Override
        List<Span> read(OtlpSignal signal, byte[] body) throws IOException {
            return signal.read(new ProtobufMessage(body));
        }

        @Override
        ApiResponse success(Map<String, String> headers) {
            return ApiResponse.binary(200, headers, new byte[0]);
        }

        @Override
        ApiResponse partialSuccess(OtlpSignal signal, Map<String, String> headers, long rejected, String message) {
            byte[] partial = message(number(1, rejected), text(2, message));
            return ApiResponse.binary(200, headers, bytes(1, partial));
        }

        @Override
        ApiResponse status(int http, Map<String, String> headers, int code, String message) {
            return ApiResponse.binary(http, headers, message(number(1, code), text(2, message)));
        }
    },
    JSON("application/json") {
        @Override
        List<Span> read(OtlpSignal signal, byte[] body) throws IOException {
            return JsonMessage.read(signal, body);
        }

        @Override
        ApiResponse success(Map<String, String> headers) {
            return new ApiResponse(200, headers, "{}");
        }

        @Override
        ApiResponse partialSuccess(OtlpSignal signal, Map<String, String> headers, long rejected, String message) {
            ObjectNode json = Json.object();
            // In the JSON of protobuf, 64-bit numbers are texts.
            json.putObject("partialSuccess")
                    .put(signal.rejected(), Long.toString(rejected))
                    .put("errorMessage", message);
            return new ApiResponse(200, headers, Json.text(json));
        }

        @Override
        ApiResponse status(int http, Map<String, String> headers, int code, String message) {
            return new ApiResponse(
                    http, headers, Json.text(Json.object().put("code", code).put("message", message)));
        }
    };

    private static final int MORE = 0x80;
    private static final int GROUP_BITS = 7;
    private static final int BYTES = 2;

    private final String contentType;

    OtlpEncoding(String contentType) {
        this.contentType = contentType;
    }

    /** Returns the encoding for a content type; empty for another content type. */
    static Optional<OtlpEncoding> find(String contentType) {
        String type = contentType.replaceFirst(";.*", "").trim().toLowerCase(Locale.ROOT);
        for (OtlpEncoding encoding : values()) {
            if (encoding.contentType.equals(type)) {
                return Optional.of(encoding);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the encoding of a request.
     *
     * @throws ApiError 415 for another content type
     */
    static OtlpEncoding of(ApiRequest request) {
        return find(request.header("content-type"))
                .orElseThrow(() -> ApiError.unsupportedMediaType(
                        "The Content-Type of a request is " + PROTOBUF.contentType + " or " + JSON.contentType + "."));
    }

    /**
     * Returns the spans of a body, or its log records in the form of spans, unchecked.
     *
     * @throws UnreadableSpansException if the body is not a request in this encoding
     */
    abstract List<Span> read(OtlpSignal signal, byte[] body) throws IOException;

    /** Returns a 200: the registry took every element. */
    final ApiResponse success() {
        return success(headers(Map.of()));
    }

    /** Returns a 200: the registry took all elements except the rejected ones, which clients must not send again. */
    final ApiResponse partialSuccess(OtlpSignal signal, long rejected, String message) {
        return partialSuccess(signal, headers(Map.of()), rejected, message);
    }

    /** Returns a refusal of a whole request, as a {@code Status}. Clients retry after 429, 502, 503 and 504, and after no other status. */
    final ApiResponse refusal(ApiError problem) {
        return status(problem.status(), headers(problem.headers()), code(problem.status()), problem.detail());
    }

    abstract ApiResponse success(Map<String, String> headers);

    abstract ApiResponse partialSuccess(OtlpSignal signal, Map<String, String> headers, long rejected, String message);

    abstract ApiResponse status(int http, Map<String, String> headers, int code, String message);

    private Map<String, String> headers(Map<String, String> more) {
        Map<String, String> headers = new LinkedHashMap<>(more);
        headers.put("Content-Type", contentType);
        headers.put("Cache-Control", "no-store");
        return headers;
    }

    /** Returns the gRPC code that corresponds to an HTTP status. */
    private static int code(int http) {
        return switch (http) {
            case 400, 415 -> 3;
            case 401 -> 16;
            case 403 -> 7;
            case 404 -> 5;
            case 413, 429 -> 8;
            case 503 -> 14;
            default -> 13;
        };
    }

    private static byte[] number(int field, long value) {
        return message(varint((long) field << 3), varint(value));
    }

    private static byte[] text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(int field, byte[] value) {
        return message(varint((long) field << 3 | BYTES), varint(value.length), value);
    }

    private static byte[] message(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] varint(long number) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long left = number;
        while ((left & -MORE) != 0) {
            out.write((int) (left & (MORE - 1)) | MORE);
            left >>>= GROUP_BITS;
        }
        out.write((int) left);
        return out.toByteArray();
    }
}
