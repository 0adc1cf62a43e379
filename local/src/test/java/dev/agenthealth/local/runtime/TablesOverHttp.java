package dev.agenthealth.local.runtime;

import dev.agenthealth.local.testing.FanOut;
import dev.agenthealth.template.TableDefinition;
import dev.agenthealth.template.Tables;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** The template's tables in a DynamoDB Local that other processes reach over HTTP, in memory. */
public final class TablesOverHttp implements AutoCloseable {

    private final String url;
    private final DynamoDBProxyServer server;

    public TablesOverHttp(List<TableDefinition> tables) throws IOException {
        int port = freePort();
        url = "http://127.0.0.1:" + port;
        try {
            server = ServerRunner.createServerFromCommandLineArgs(
                    new String[] {"-inMemory", "-sharedDb", "-disableTelemetry", "-port", String.valueOf(port)});
            server.start();
        } catch (Exception e) {
            throw new IOException("DynamoDB Local does not start", e);
        }
        try (DynamoDbClient client = DynamoDbClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .endpointOverride(URI.create(url))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .build()) {
            Tables.create(client, tables);
            FanOut.above(1, client);
        }
    }

    public String url() {
        return url;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("DynamoDB Local does not stop", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket briefly = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return briefly.getLocalPort();
        }
    }
}
