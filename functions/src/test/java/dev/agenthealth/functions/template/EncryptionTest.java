package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.QueueDefinition;
import dev.agenthealth.template.Resolution;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A customer-managed key encrypts everything that stores something; without one, keys that AWS owns do. */
@Tag("SYS-03")
class EncryptionTest {

    private static final String KEY = "arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555";

    /** Where a type names its key. */
    private static final Map<String, String> PROPERTIES = Map.of(
            "AWS::DynamoDB::Table", "SSESpecification",
            "AWS::SQS::Queue", "KmsMasterKeyId",
            "AWS::SNS::Topic", "KmsMasterKeyId",
            "AWS::Logs::LogGroup", "KmsKeyId",
            "AWS::Events::EventBus", "KmsKeyIdentifier",
            "AWS::Events::Archive", "KmsKeyIdentifier");

    private final TemplateText text = new TemplateText();

    @Test
    void everything_that_stores_data_has_the_key_where_one_is_given() {
        PROPERTIES.forEach((type, property) -> assertThat(text.properties(type))
                .isNotEmpty()
                .allSatisfy((logicalId, properties) -> assertKey(logicalId, at(properties, property, "Fn::If"))));
        assertKey("functions", at(text.functionGlobals(), "KmsKeyArn", "Fn::If"));
        assertThat(at(text.parameters(), "KmsKeyArn", "Default"))
                .as("keys that AWS owns are free")
                .isEqualTo("");
    }

    @Test
    void a_queue_has_one_kind_of_encryption() {
        text.properties("AWS::SQS::Queue").forEach((logicalId, queue) -> {
            List<?> choice = list(at(queue, "SqsManagedSseEnabled", "Fn::If"));
            assertThat(choice.get(0)).as(logicalId).isEqualTo("HasKey");
            assertThat(References.in(choice.get(1))).as(logicalId).containsExactly("AWS::NoValue");
            assertThat(choice.get(2)).as(logicalId).isEqualTo(true);
        });
    }

    @Test
    void few_functions_decrypt_secrets_and_all_use_the_key_that_is_given_through_other_services_only() {
        String secrets = "arn:aws:kms:us-east-1:000000000000:key/SecretsKey";
        for (Resolution resolution :
                List.of(Resolution.local(), Resolution.local().withParameter("KmsKeyArn", KEY))) {
            assertThat(text.stack(resolution).functions())
                    .filteredOn(function -> decrypts(function, secrets))
                    .as("those that read the secrets of notifications and the credentials of agents")
                    .extracting(FunctionDefinition::logicalId)
                    .containsExactlyInAnyOrder(
                            "AdministrationFunction",
                            "NotificationFunction",
                            "GatewayFunction",
                            "InvocationWorkerFunction",
                            "ProbeFunction");
            assertThat(text.stack(resolution).functions())
                    .allMatch(function -> decrypts(function, KEY) != resolution.equals(Resolution.local()));
        }
        assertThat(text.resources().values())
                .as("one policy that every role of a function has")
                .filteredOn(resource -> References.in(at(resource, "Properties", "PolicyDocument"))
                        .contains("KmsKeyArn"))
                .singleElement()
                .satisfies(policy -> {
                    assertThat(at(policy, "Condition")).isEqualTo("HasKey");
                    assertThat(list(at(policy, "Properties", "PolicyDocument", "Statement")))
                            .singleElement()
                            .satisfies(statement -> assertThat(
                                            at(statement, "Condition", "StringLike", "kms:ViaService", "Fn::Sub"))
                                    .isEqualTo("*.${AWS::Region}.amazonaws.com*"));
                });
    }

    private static boolean decrypts(FunctionDefinition function, String key) {
        return function.policies().stream()
                .anyMatch(statement -> statement.actions().contains("kms:Decrypt")
                        && statement.resources().contains(key));
    }

    @Test
    void the_key_changes_nothing_that_functions_see() {
        Resolution encrypted = Resolution.local().withParameter("KmsKeyArn", KEY);
        assertThat(text.stack(encrypted).tables()).isEqualTo(text.stack().tables());
        assertThat(text.stack(encrypted).queues())
                .extracting(QueueDefinition::url)
                .isEqualTo(
                        text.stack().queues().stream().map(QueueDefinition::url).toList());
    }

    @Test
    void the_documented_key_policy_admits_the_services_that_use_the_key_themselves() {
        String section = Documents.section("docs/operations/deploying.md", "## A key of your own");
        int start = section.indexOf("```json") + "```json".length();
        JsonNode policy = Json.stored(section.substring(start, section.indexOf("```", start)));
        Set<String> services = new TreeSet<>();
        policy.path("Statement")
                .forEach(statement ->
                        services.add(statement.path("Principal").path("Service").asText()));
        services.remove("");
        assertThat(services)
                .containsExactly("cloudwatch.amazonaws.com", "events.amazonaws.com", "logs.REGION.amazonaws.com");
        assertThat(policy.path("Statement").toString())
                .as("EventBridge needs the first for every resource and the second for an archive")
                .contains("kms:DescribeKey", "\"kms:Decrypt\",\"kms:GenerateDataKey\",\"kms:ReEncrypt*\"");
    }

    private static void assertKey(String logicalId, Object choice) {
        assertThat(list(choice)).as(logicalId).hasSize(3).first().isEqualTo("HasKey");
        assertThat(References.in(list(choice).get(1))).as(logicalId).containsExactly("KmsKeyArn");
        assertThat(References.in(list(choice).get(2))).as(logicalId).containsExactly("AWS::NoValue");
    }
}
