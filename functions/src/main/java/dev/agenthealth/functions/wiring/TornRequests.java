package dev.agenthealth.functions.wiring;

import java.io.IOException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * An HTTP client that tells of a lost connection when its connection is closed under it, as happens when the time-out of a try ends while
 * the request is still being written. The JDK's own connection fails with a {@link NullPointerException} then, which the SDK would take
 * for a fault of the program: nothing would be repeated, and a caller would get 500 for a moment's delay. As safe for threads as what it wraps.
 */
final class TornRequests implements SdkHttpClient {

    private final SdkHttpClient client;

    TornRequests(SdkHttpClient client) {
        this.client = client;
    }

    /** Makes such clients of those that {@code clients} makes. */
    static SdkHttpClient.Builder<?> of(SdkHttpClient.Builder<?> clients) {
        return new Builder(clients);
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        ExecutableHttpRequest prepared = client.prepareRequest(request);
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                try {
                    return prepared.call();
                } catch (NullPointerException e) {
                    throw new IOException("the connection was closed while a request was sent", e);
                }
            }

            @Override
            public void abort() {
                prepared.abort();
            }
        };
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        client.close();
    }

    private record Builder(SdkHttpClient.Builder<?> clients) implements SdkHttpClient.Builder<Builder> {

        @Override
        public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
            return new TornRequests(clients.buildWithDefaults(defaults));
        }
    }
}
