package dev.agenthealth.functions.wiring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

class TornRequestsTest {

    private static final HttpExecuteRequest REQUEST = HttpExecuteRequest.builder()
            .request(SdkHttpRequest.builder()
                    .method(SdkHttpMethod.POST)
                    .protocol("http")
                    .host("127.0.0.1")
                    .port(1)
                    .build())
            .build();

    @Test
    void a_connection_that_is_closed_under_a_request_is_a_lost_connection() {
        NullPointerException torn = new NullPointerException("this.http is null");
        try (SdkHttpClient client = new TornRequests(failing(torn))) {
            assertThatThrownBy(client.prepareRequest(REQUEST)::call)
                    .isInstanceOf(IOException.class)
                    .hasCause(torn);
        }
    }

    @Test
    void every_other_failure_stays_what_it_is() {
        IllegalStateException fault = new IllegalStateException();
        try (SdkHttpClient client = new TornRequests(failing(fault))) {
            assertThatThrownBy(client.prepareRequest(REQUEST)::call).isSameAs(fault);
        }
    }

    private static SdkHttpClient failing(RuntimeException failure) {
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
