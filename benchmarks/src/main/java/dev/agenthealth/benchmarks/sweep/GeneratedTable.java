package dev.agenthealth.benchmarks.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agenthealth.benchmarks.RowTemplate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * A table of any number of active agents, none of them overdue. It answers scans as DynamoDB does over HTTP: JSON in pages of 1 MB, with
 * segments, limits, projections, consumed capacity and the checksum that the SDK compares. The rows are generated on reading. Thread-safe.
 */
final class GeneratedTable implements SdkHttpClient {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PAGE_BYTES = 1_048_576;
    private static final int UNIT_BYTES = 4_096;

    /** The time over which the last heartbeats are evenly spread. */
    private static final int INTERVAL_MILLIS = 30_000;

    private final AtomicLong rows = new AtomicLong();
    private final DoubleAdder readUnits = new DoubleAdder();
    private final LongAdder pages = new LongAdder();

    /** Returns a client of this table alone. */
    DynamoDbClient client() {
        return DynamoDbClient.builder()
                .httpClient(this)
                .endpointOverride(URI.create("http://generated"))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("none", "none")))
                .build();
    }

    /** Returns a client that scans this table, and sends other requests to another client. */
    DynamoDbClient before(DynamoDbClient other) {
        DynamoDbClient scanned = client();
        return (DynamoDbClient) Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (proxy, method, values) -> {
                    boolean scans = values != null && values[0] instanceof ScanRequest;
                    try {
                        return method.invoke(scans ? scanned : other, values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Sets the number of agents. */
    void rows(long number) {
        rows.set(number);
    }

    double readUnits() {
        return readUnits.sum();
    }

    long pages() {
        return pages.sum();
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return new ExecutableHttpRequest() {

            @Override
            public HttpExecuteResponse call() throws IOException {
                return answer(request);
            }

            @Override
            public void abort() {
                // The answer is available at once.
            }
        };
    }

    private HttpExecuteResponse answer(HttpExecuteRequest request) throws IOException {
        JsonNode scan =
                JSON.readTree(request.contentStreamProvider().orElseThrow().newStream());
        byte[] body = page(scan);
        CRC32 checksum = new CRC32();
        checksum.update(body);
        return HttpExecuteResponse.builder()
                .response(SdkHttpResponse.builder()
                        .statusCode(200)
                        .putHeader("content-type", "application/x-amz-json-1.0")
                        .putHeader("content-length", String.valueOf(body.length))
                        .putHeader("x-amz-crc32", String.valueOf(checksum.getValue()))
                        .build())
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
                .build();
    }

    private byte[] page(JsonNode scan) {
        RowTemplate template = new RowTemplate(projected(scan));
        int segments = scan.path("TotalSegments").asInt(1);
        int segment = scan.path("Segment").asInt(0);
        long end = rows.get() * (segment + 1) / segments;
        JsonNode start = scan.at("/ExclusiveStartKey/id/S");
        long from = start.isMissingNode() ? rows.get() * segment / segments : RowTemplate.number(start.asText()) + 1;
        long most = Math.min(scan.path("Limit").asInt(Integer.MAX_VALUE), PAGE_BYTES / template.itemBytes());
        long to = Math.min(end, from + most);
        long now = System.currentTimeMillis();
        ByteArrayOutputStream out = new ByteArrayOutputStream((int) ((to - from + 2) * 2 * template.itemBytes()));
        write(out, "{\"Items\":[");
        for (long row = from; row < to; row++) {
            if (row > from) {
                out.write(',');
            }
            template.append(out, row, now - row * 7_919 % INTERVAL_MILLIS);
        }
        double units = Math.max(1, Math.ceil((to - from) * template.itemBytes() / (double) UNIT_BYTES)) / 2;
        write(out, "],\"Count\":" + (to - from) + ",\"ScannedCount\":" + (to - from));
        write(
                out,
                ",\"ConsumedCapacity\":{\"TableName\":\""
                        + scan.path("TableName").asText() + "\",\"CapacityUnits\":" + units + "}");
        write(out, to < end ? ",\"LastEvaluatedKey\":{\"id\":{\"S\":\"" + RowTemplate.id(to - 1) + "\"}}}" : "}");
        readUnits.add(units);
        pages.increment();
        return out.toByteArray();
    }

    /** Returns a predicate that is true for the attributes that a scan reads. */
    private static Predicate<String> projected(JsonNode scan) {
        JsonNode expression = scan.path("ProjectionExpression");
        if (expression.isMissingNode()) {
            return name -> true;
        }
        Set<String> names = new TreeSet<>();
        for (String name : expression.asText().split(",")) {
            String stripped = name.strip();
            names.add(scan.path("ExpressionAttributeNames").path(stripped).asText(stripped));
        }
        return names::contains;
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        // Nothing is open.
    }

    @Override
    public String clientName() {
        return "generated-table";
    }
}
