package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** What {@code .ci/check-deployment} does not show of a server for a deployed stack: it serves routes in processes of their own there. */
class StackServerTest {

    @Test
    @Tag("slow")
    void platforms_wait_until_requests_in_progress_are_answered() {
        long seconds = StackServer.CLOSE_TIMEOUT.toSeconds();
        assertThat(LocalStack.of(Template.find(), KeyHash.ofKey(""), "", Optional.empty())
                        .functions())
                .filteredOn(function -> !function.routes().isEmpty())
                .allSatisfy(function -> assertThat(function.timeout()).isLessThanOrEqualTo(StackServer.CLOSE_TIMEOUT));
        Map.of(
                        "deploy/ecs.yaml",
                        "StopTimeout",
                        "deploy/helm/agent-health/templates/_helpers.tpl",
                        "terminationGracePeriodSeconds")
                .forEach((file, setting) -> {
                    Matcher value = Pattern.compile(setting + ": (\\d+)").matcher(ProjectFiles.text(file));
                    assertThat(value.find()).as(file).isTrue();
                    assertThat(Long.parseLong(value.group(1))).as(file).isGreaterThan(seconds + 5);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SweepFunction", "HeartbeatFunction,Nothing"})
    @Tag("slow")
    void functions_without_routes_are_refused_before_aws_is_asked(String names) {
        List<String> functions = names.isEmpty() ? List.of() : List.of(names.split(","));
        try (CloudFormationClient cloudFormation = CloudFormationClient.builder()
                        .region(Region.US_EAST_1)
                        .credentialsProvider(AnonymousCredentialsProvider.create())
                        .httpClientBuilder(UrlConnectionHttpClient.builder())
                        .build();
                LambdaClient lambda = LambdaClient.builder()
                        .region(Region.US_EAST_1)
                        .credentialsProvider(AnonymousCredentialsProvider.create())
                        .httpClientBuilder(UrlConnectionHttpClient.builder())
                        .build()) {
            assertThatThrownBy(() -> StackServer.start(
                            Template.find(),
                            "any",
                            functions,
                            new StackServer.Address("127.0.0.1", 0, ""),
                            cloudFormation,
                            lambda,
                            new PrintStream(OutputStream.nullOutputStream())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("HeartbeatFunction, RegistryFunction")
                    .hasMessageNotContainingAny("SweepFunction");
        }
    }
}
