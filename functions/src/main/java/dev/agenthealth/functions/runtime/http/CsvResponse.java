package dev.agenthealth.functions.runtime.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Responses as CSV (RFC 4180), with a header. */
public final class CsvResponse {

    private static final String JSON = "json";
    private static final String CSV = "csv";
    private static final String TYPE = "text/csv";
    private static final String END_OF_LINE = "\r\n";

    private CsvResponse() {}

    /** Returns whether the caller asks for CSV, with the parameter {@code format}, or else with the header {@code Accept}. */
    public static boolean isWanted(ApiRequest request, Fields query) {
        Optional<String> format = query.oneOf("format", JSON, CSV);
        return format.map(CSV::equals).orElseGet(() -> acceptsOnlyCsv(request.header("accept")));
    }

    private static boolean acceptsOnlyCsv(String accept) {
        List<String> types = Arrays.stream(accept.toLowerCase(Locale.ROOT).split(","))
                .map(range -> range.split(";", -1)[0].trim())
                .toList();
        return types.contains(TYPE) && !types.contains("application/json");
    }

    /** Returns the response with these lines, of which the first is the header. */
    public static ApiResponse of(List<List<String>> lines) {
        String text = lines.stream()
                .map(line -> line.stream().map(CsvResponse::quoted).collect(Collectors.joining(",")) + END_OF_LINE)
                .collect(Collectors.joining());
        return new ApiResponse(
                200,
                Map.of("Content-Type", TYPE + "; charset=utf-8; header=present", "Cache-Control", "no-store"),
                text);
    }

    /** Returns a value in quotes if it needs them. A value that a spreadsheet would take for a formula gets an apostrophe. */
    private static String quoted(String value) {
        String safe = !value.isEmpty() && "=+-@".indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        boolean needsQuotes = safe.chars().anyMatch(each -> each == ',' || each == '"' || each == '\r' || each == '\n');
        return needsQuotes ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }
}
