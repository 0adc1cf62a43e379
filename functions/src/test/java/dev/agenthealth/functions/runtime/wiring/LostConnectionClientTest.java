package dev.agenthealth.functions.runtime.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

class LostConnectionClientTest {

    private static final HttpExecuteRequest REQUEST = HttpExecuteRequest.builder()
            .request(SdkHttpRequest.builder()
                    .method(SdkHttpMethod.POST)
                    .protocol("http")
                    .host("127.0.0.1")
                    .port(1)
                    .build())
            .build();

    /** Closed while the request is sent, or before the status of its answer is read. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_connection_closed_during_a_request_causes_an_io_exception(boolean later) {
        RuntimeException first = new NullPointerException("this.http is null");
        RuntimeException closed = later ? new RuntimeException(first) : first;
        try (SdkHttpClient client = new LostConnectionClient(throwing(closed))) {
            assertThatThrownBy(client.prepareRequest(REQUEST)::call)
                    .isInstanceOf(IOException.class)
                    .hasCause(closed);
        }
    }

    @Test
    void other_exceptions_are_passed_on() {
        IllegalStateException failure = new IllegalStateException();
        try (SdkHttpClient client = new LostConnectionClient(throwing(failure))) {
            assertThatThrownBy(client.prepareRequest(REQUEST)::call).isSameAs(failure);
        }
    }

    @Test
    void idle_connections_are_kept_for_a_minute() {
        AwsClients.lambdaClient();
        assertThat(System.getProperty(AwsClients.KEEP_ALIVE_SECONDS)).isEqualTo("60");
    }

    private static SdkHttpClient throwing(RuntimeException failure) {
        return new SdkHttpClient() {
            @Override
            public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
                return new ExecutableHttpRequest() {
                    @Override
                    public HttpExecuteResponse call() {
                        throw failure;
                    }

                    @Override
                    public void abort() {}
                };
            }

            @Override
            public void close() {}
        };
    }
}
