package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.Description;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Input of maximum size is accepted, stored and found again. */
class LargestInputTest {

    @Test
    @Tag("R16-01")
    @Tag("R16-04")
    void input_of_maximum_size_is_stored_and_found() {
        try (TestSystem system = new TestSystem()) {
            RegistryClient client = new RegistryClient(system);
            String widest = "\ud83d\ude00";
            String id = "i".repeat(64);
            String tags = IntStream.range(10, 10 + AgentInterface.MAX_CAPABILITIES)
                    .mapToObj(i -> "\"" + i + widest.repeat(62) + "\"")
                    .collect(Collectors.joining(","));
            String metadata = "{\"k\":\"" + "x".repeat(Description.MAX_METADATA_BYTES - 8) + "\"}";
            String body = "{\"agent_id\":\"" + id + "\",\"role_id\":\"" + "r".repeat(64) + "\",\"name\":\""
                    + widest.repeat(200) + "\",\"capabilities\":[" + tags + "],\"metadata\":" + metadata
                    + ",\"endpoint\":\"http://x.example/" + "p".repeat(2_048 - 17) + "\",\"platform\":\""
                    + widest.repeat(64) + "\",\"model\":{\"name\":\"" + widest.repeat(200)
                    + "\"},\"capacity\":{\"max_concurrent_tasks\":1000000},\"expectations\":{\"success_rate\":0,"
                    + "\"runtime_ms\":0.0000001,\"failures_per_hour\":-0.0}}";
            Response response = client.register(body);
            assertThat(response.status()).as(response.text()).isEqualTo(201);
            assertThat(client.get(id).json()).isEqualTo(response.json());
            assertThat(client.listed(Map.of("capabilities", "41" + widest.repeat(62))))
                    .containsExactly(id);
            String others = tags.replace(widest, "\ud83d\ude01");
            assertThat(client.patchProfile(id, "1", "{\"capabilities\":[" + others + "]}")
                            .status())
                    .as("all tags are replaced")
                    .isEqualTo(200);
            assertThat(client.listed(Map.of("capabilities", "41" + widest.repeat(62))))
                    .isEmpty();
            assertThat(client.delete(TestSystem.AGENT_KEY, id).status()).isEqualTo(204);
            assertThat(client.register(body).status()).isEqualTo(201);
        }
    }
}
