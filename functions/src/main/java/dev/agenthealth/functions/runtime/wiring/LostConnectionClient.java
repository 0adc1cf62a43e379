package dev.agenthealth.functions.runtime.wiring;

import java.io.IOException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Wraps an HTTP client so that a connection closed during a request causes an {@link IOException}, for example after an attempt's time-out.
 * The JDK's connection throws a {@link NullPointerException} instead, and again as the cause of another exception; the SDK retries neither.
 * As thread-safe as the wrapped client.
 */
final class LostConnectionClient implements SdkHttpClient {

    private final SdkHttpClient client;

    LostConnectionClient(SdkHttpClient client) {
        this.client = client;
    }

    /** Returns a builder that wraps the clients of {@code clients}. */
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
                } catch (RuntimeException e) {
                    if (e instanceof NullPointerException || e.getCause() instanceof NullPointerException) {
                        throw new IOException("the connection was closed while a request was sent", e);
                    }
                    throw e;
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
            return new LostConnectionClient(clients.buildWithDefaults(defaults));
        }
    }
}
