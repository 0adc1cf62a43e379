package dev.agenthealth.dynamodb.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Whatever answers at {@code AWS_ENDPOINT_URL}, for example moto. */
final class Endpoint implements Backend {

    static final String VARIABLE = "AWS_ENDPOINT_URL";
    static final String NAME = "endpoint";
    static final String MOTO = "moto";

    private final String name;

    private final DynamoDbClient client;
    private final DynamoDbStreamsClient streams;

    Endpoint() {
        URI uri = URI.create(System.getenv(VARIABLE));
        name = isMoto(uri) ? MOTO : NAME;
        StaticCredentialsProvider credentials =
                StaticCredentialsProvider.create(AwsBasicCredentials.create("dummy", "dummy"));
        client = DynamoDbClient.builder()
                .endpointOverride(uri)
                .region(Region.US_EAST_1)
                .credentialsProvider(credentials)
                .httpClient(UrlConnectionHttpClient.create())
                .overrideConfiguration(o -> o.retryStrategy(RetryMode.STANDARD))
                .build();
        streams = DynamoDbStreamsClient.builder()
                .endpointOverride(uri)
                .region(Region.US_EAST_1)
                .credentialsProvider(credentials)
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    /** Recognised by its administrative pages. */
    private static boolean isMoto(URI uri) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) uri.resolve("/moto-api/config").toURL().openConnection();
            return connection.getResponseCode() / 100 == 2;
        } catch (IOException e) {
            throw new UncheckedIOException("nothing answers at " + uri, e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DynamoDbClient client() {
        return client;
    }

    @Override
    public DynamoDbStreamsClient streams() {
        return streams;
    }

    @Override
    public void awaitTable(String table) {
        client.waiter().waitUntilTableExists(r -> r.tableName(table));
    }

    @Override
    public void close() {
        client.close();
        streams.close();
    }
}
