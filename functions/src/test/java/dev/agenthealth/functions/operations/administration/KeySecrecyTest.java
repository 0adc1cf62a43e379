package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.TestTables;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** A key's text is only in the response that issues it: not in tables, log lines or other responses. */
@Tag("R16-31")
@Tag(Attack.TAG)
class KeySecrecyTest {

    private static final String KEYS = "/v1/admin/keys";

    private final CapturedOutput output = new CapturedOutput();
    private final TestSystem system = new TestSystem();

    @AfterEach
    void close() {
        system.close();
        output.close();
    }

    @Test
    void no_table_contains_a_key() {
        String apiKey = issue();
        useEverywhere(apiKey);
        String stored = everythingStored();
        assertThat(stored).contains("agent-of-the-key");
        assertThat(stored)
                .doesNotContain(apiKey)
                .doesNotContain(apiKey.substring("ahk_".length()))
                .doesNotContain(TestSystem.ADMINISTRATOR_KEY);
    }

    @Test
    void no_log_line_and_no_refusal_contains_a_key() {
        String apiKey = issue();
        List<String> answers = useEverywhere(apiKey);
        system.faults().throttleOn(GetItemRequest.class);
        answers.add(system.api().get(KEYS).key("an-unknown-key").send().text());
        for (int i = 0; i < 200; i++) {
            system.faults().throttleOn(GetItemRequest.class);
        }
        Response busy = system.api().get(KEYS).key("another-unknown-key").send();
        assertThat(busy.status()).isEqualTo(503);
        answers.add(busy.text());
        assertThat(output.text()).contains("key_issued").contains("key_revoked").contains("storage_busy");
        for (String text : List.of(output.text(), String.join("\n", answers))) {
            assertThat(text)
                    .doesNotContain(apiKey)
                    .doesNotContain(TestSystem.ADMINISTRATOR_KEY)
                    .doesNotContain("an-unknown-key")
                    .doesNotContain("another-unknown-key");
        }
    }

    private String issue() {
        return system.api()
                .post(KEYS)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"role\":\"agent\",\"name\":\"n\"}")
                .send()
                .json()
                .path("api_key")
                .asText();
    }

    /** Uses the key with valid and invalid requests to every API, and revokes another one; returns the responses. */
    private List<String> useEverywhere(String apiKey) {
        List<String> answers = new ArrayList<>();
        answers.add(system.api()
                .post("/api/v1/agents")
                .key(apiKey)
                .body("{\"agent_id\":\"agent-of-the-key\"}")
                .send()
                .text());
        answers.add(system.api()
                .post("/api/v1/agents/agent-of-the-key/heartbeat")
                .key(apiKey)
                .body("{\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:00:00Z\"}")
                .send()
                .text());
        answers.add(system.api()
                .post("/api/v1/heartbeats")
                .key(apiKey)
                .body("{\"heartbeats\":[{\"agent_id\":\"unknown\"}]}")
                .send()
                .text());
        answers.add(system.api().get("/api/v1/agents").key(apiKey).send().text());
        answers.add(system.api().post(KEYS).key(apiKey).body("{").send().text());
        answers.add(system.api()
                .post(KEYS)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"role\":\"?\"}")
                .send()
                .text());
        answers.add(system.api()
                .delete(KEYS + "/key-test-other-agent-key")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .text());
        answers.add(
                system.api().get(KEYS).key(TestSystem.ADMINISTRATOR_KEY).send().text());
        return answers;
    }

    private String everythingStored() {
        StringBuilder text = new StringBuilder();
        for (String table : List.of(TestTables.PULSES, TestTables.REGISTRY)) {
            system.tables().dynamoDb().scan(r -> r.tableName(table)).items().forEach(item -> item.values()
                    .forEach(value -> append(text, value)));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, AttributeValue value) {
        if (value.b() != null) {
            text.append(new String(value.b().asByteArray(), StandardCharsets.ISO_8859_1))
                    .append('\n');
        }
        text.append(value).append('\n');
    }
}
