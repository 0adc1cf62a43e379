package dev.agenthealth.functions.api.description;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ApiDescription;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class DescriptionRoutesTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void the_description_is_served_as_json_without_a_key() {
        Response response = system.api().get("/openapi.json").send();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().toString())
                .isEqualTo(ApiDescription.ofProject().document().toString());
        assertThat(response.header("Content-Type")).isEqualTo("application/json");
        assertThat(response.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(response.header("Cache-Control")).isEqualTo("public, max-age=60");
    }

    @Test
    void a_caller_that_has_the_description_gets_304() {
        String tag = system.api().get("/openapi.json").send().header("ETag");
        Response again =
                system.api().get("/openapi.json").header("if-none-match", tag).send();
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.text()).isEmpty();
    }

    @Test
    void head_has_the_headers_and_no_body() {
        Response head = system.api().head("/openapi.json").send();
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
        assertThat(head.header("ETag"))
                .isEqualTo(system.api().get("/openapi.json").send().header("ETag"));
    }
}
