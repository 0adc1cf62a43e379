package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.InterleavedSystem;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.testkit.Interleavings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Identity providers as administrators write them. */
class IdentityProviderTest {

    private static final String BODY =
            "{'issuer':'https://sso.example.com','audiences':['a'],'grants':[{'claim':'c','value':'v','role':'viewer'}]}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private Response put(String name, String body) {
        return system.api()
                .put("/v1/admin/identity-providers/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body.replace('\'', '"'))
                .send();
    }

    @Test
    void a_provider_is_created_replaced_read_and_deleted() {
        assertThat(put("acme", BODY).status()).isEqualTo(201);
        Response replaced = put("acme", BODY.replace("'v'", "'w'"));
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.json().at("/grants/0/value").asText()).isEqualTo("w");
        assertThat(replaced.json().path("algorithms").toString()).isEqualTo("[\"RS256\",\"ES256\"]");
        assertThat(get("").json().path("identity_providers").get(0)).isEqualTo(replaced.json());
        assertThat(get("/acme").json()).isEqualTo(replaced.json());
        for (int i = 0; i < 2; i++) {
            assertThat(system.api()
                            .delete("/v1/admin/identity-providers/acme")
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .send()
                            .status())
                    .isEqualTo(204);
        }
        assertThat(get("/acme").status()).isEqualTo(404);
    }

    @Test
    void the_audit_log_has_what_changed_and_nothing_of_a_repeated_request() {
        put("acme", BODY);
        Response repeated = put("acme", BODY);
        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.json()).isEqualTo(get("/acme").json());
        system.clock().advanceSeconds(1);
        put("acme", BODY.replace("'v'", "'w'"));
        JsonNode entries = system.api()
                .get("/v1/admin/audit")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("entries");
        assertThat(entries).hasSize(2);
        assertThat(entries.at("/0/after").toString()).isEqualTo("{\"grants.0.value\":\"w\"}");
    }

    private Response get(String path) {
        return system.api()
                .get("/v1/admin/identity-providers" + path)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    'https://sso.example.com'   | 'http://sso.example.com'            | issuer
                    'https://sso.example.com'   | 'https://user@sso.example.com'      | issuer
                    'https://sso.example.com'   | 'https://sso.example.com?tenant=1'  | issuer
                    'https://sso.example.com'   | 'https://sso.example.com#x'         | issuer
                    'https://sso.example.com'   | 'https://10.0.0.1'                  | issuer
                    'https://sso.example.com'   | 'https://169.254.169.254/latest'    | issuer
                    'https://sso.example.com'   | 'sso'                               | issuer
                    ['a']                       | []                                  | audiences
                    ['a']                       | 'a'                                 | audiences
                    'audiences':['a']           | 'audiences':['a'],'algorithms':['HS256'] | algorithms[0]
                    'audiences':['a']           | 'audiences':['a'],'algorithms':['none']  | algorithms[0]
                    'audiences':['a']           | 'audiences':['a'],'jwks':{'keys':[]}     | jwks
                    'audiences':['a']           | 'audiences':['a'],'client_secret':'x'    | client_secret
                    'claim':'c',                | ''                                  | grants
                    'role':'viewer'             | 'role':'root'                       | grants[0].role
                    'role':'viewer'             | 'role':'agent'                      | grants[0].owner
                    'role':'viewer'             | 'role':'viewer','owner':'o'         | grants[0].owner
                    'role':'viewer'             | 'role':'agent','owner':'a b'        | grants[0].owner
                    'role':'viewer'             | 'role':'agent','owner':'o234567890123456789012345678901' | grants[0].owner
                    'role':'viewer'             | 'role':'administrator','role_ids':['r'] | grants[0].role_ids
                    'role':'viewer'             | 'role':'viewer','role_ids':[]          | grants[0].role_ids
                    'role':'viewer'             | 'role':'viewer','provider_ids':['p'] | grants[0].provider_ids
                    'role':'viewer'             | 'role':'viewer','group':'g'         | grants[0].group
                    """,
            quoteCharacter = '~')
    void what_cannot_be_meant_is_refused(String part, String other, String field) {
        Response response = put("acme", BODY.replace(part, other));
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        if (!field.equals("grants")) {
            assertThat(response.json().at("/errors/0/field").asText()).isEqualTo(field);
        }
    }

    @Test
    void an_issuer_that_is_not_public_needs_written_keys() {
        String keys = ",'jwks':" + TestTokens.jwks(TestTokens.EC);
        String inside = BODY.replace("https://sso.example.com", "https://10.0.0.1");
        assertThat(put("inside", inside.replace("'audiences'", keys.substring(1) + ",'audiences'"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void an_issuer_belongs_to_one_provider_and_there_are_at_most_20() {
        for (int i = 0; i < 20; i++) {
            assertThat(put("p" + i, BODY.replace("sso", "sso" + i)).status()).isEqualTo(201);
        }
        assertThat(put("other", BODY.replace("sso", "sso3"))
                        .json()
                        .path("error")
                        .asText())
                .isEqualTo("issuer_in_use");
        assertThat(put("other", BODY).json().path("error").asText()).isEqualTo("too_many_identity_providers");
        assertThat(put("p3", BODY).status()).isEqualTo(200);
    }

    @Test
    void of_two_requests_at_once_one_gets_the_issuer() {
        try (InterleavedSystem interleaved = new InterleavedSystem(
                request -> request instanceof QueryRequest || request instanceof TransactWriteItemsRequest)) {
            interleaved.interleavings().explore(() -> new Interleavings.Scenario() {
                private final List<Integer> answers = new ArrayList<>();

                @Override
                public List<Runnable> operations() {
                    List.of("one", "two").forEach(name -> interleaved
                            .system()
                            .api()
                            .delete("/v1/admin/identity-providers/" + name)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .send());
                    return List.of(() -> write("one"), () -> write("two"));
                }

                private void write(String name) {
                    int status = interleaved
                            .api()
                            .put("/v1/admin/identity-providers/" + name)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .body(BODY.replace('\'', '"'))
                            .send()
                            .status();
                    synchronized (answers) {
                        answers.add(status);
                    }
                }

                @Override
                public void check(List<Integer> order) {
                    assertThat(answers).as("%s", order).containsExactlyInAnyOrder(201, 409);
                }
            });
        }
    }
}
