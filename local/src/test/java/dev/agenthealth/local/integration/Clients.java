package dev.agenthealth.local.integration;

import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;

/**
 * Makes clients of the services at one endpoint.
 *
 * @param endpoint where all services are
 * @param region the one that requests name
 * @param credentials what requests are signed with
 */
record Clients(URI endpoint, Region region, AwsCredentialsProvider credentials) {

    private static final String DEFAULT_REGION = "us-east-1";

    /** The variable that names the endpoint, as all of AWS's tools read it. */
    static final String ENDPOINT_VARIABLE = "AWS_ENDPOINT_URL";

    /** Clients of an endpoint that takes any credentials. */
    static Clients withAnyCredentials(URI endpoint, String region) {
        return new Clients(
                endpoint,
                Region.of(region),
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")));
    }

    /**
     * Clients of the endpoint that {@code AWS_ENDPOINT_URL} names, in the region {@code AWS_REGION} and with the credentials that are set
     * up, or else in {@code us-east-1} and with credentials that only an emulator takes.
     */
    static Clients of(Map<String, String> environment) {
        URI endpoint = URI.create(environment.get(ENDPOINT_VARIABLE));
        String region = environment.getOrDefault("AWS_REGION", DEFAULT_REGION);
        return environment.containsKey("AWS_ACCESS_KEY_ID") || environment.containsKey("AWS_PROFILE")
                ? new Clients(
                        endpoint,
                        Region.of(region),
                        DefaultCredentialsProvider.builder().build())
                : withAnyCredentials(endpoint, region);
    }

    <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(B builder) {
        return builder.endpointOverride(endpoint)
                .region(region)
                .credentialsProvider(credentials)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }
}
