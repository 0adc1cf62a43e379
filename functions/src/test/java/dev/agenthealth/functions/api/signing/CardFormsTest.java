package dev.agenthealth.functions.api.signing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.testkit.TestJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes that a signature covers (A2A 1.0 §8.4.1). */
class CardFormsTest {

    @Test
    void the_example_of_the_specification_has_its_form_and_that_of_the_sdks() {
        assertThat(
                        toSign(
                                """
                        {"name":"Example Agent","description":"","skills":[],
                         "capabilities":{"streaming":false,"pushNotifications":false,"extensions":[]}}
                        """))
                .containsExactly(
                        """
                                {"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}\
                                """,
                        """
                                {"capabilities":{"pushNotifications":false,"streaming":false},"description":"",\
                                "name":"Example Agent","skills":[]}\
                                """);
    }

    @Test
    void a_card_without_empty_fields_has_one_form_whatever_surrounds_it() {
        assertThat(
                        toSign(
                                """
                        {"url":"https://old.example.com","protocolVersion":"0.3.0","name":"A","documentationUrl":"d","iconUrl":null,
                         "supportedInterfaces":[{"url":"u","protocolBinding":"JSONRPC","protocolVersion":"1.0","tenant":"","transport":"x"}],
                         "capabilities":{"extensions":[{"uri":"e","required":false,"params":{"b":1.0,"a":true}}],"stateTransitionHistory":false},
                         "securitySchemes":{"k":{"type":"apiKey","apiKeySecurityScheme":{"location":"header","name":"K"}}},
                         "signatures":[{"protected":"p","signature":"s"}]}
                        """))
                .containsExactly(
                        """
                                {"capabilities":{"extensions":[{"params":{"a":true,"b":1},"uri":"e"}]},\
                                "documentationUrl":"d","name":"A",\
                                "securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"header","name":"K"}}},\
                                "supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0",\
                                "url":"u"}]}\
                                """);
    }

    /** Both the SDK for Python 1.3.0 and that for JavaScript 1.3.0 made this text of this card. */
    @Test
    void the_first_form_is_that_of_the_official_sdks() {
        assertThat(toSign(
                                """
                        {"name":"Example é","description":"","version":"1","skills":[],
                         "supportedInterfaces":[{"url":"u","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
                         "capabilities":{"streaming":false,"extensions":[{"uri":"e","required":false,"params":{"b":1.0,"a":{},"c":[null,0,false,""]}}]},
                         "defaultInputModes":["t"],"defaultOutputModes":["t"],
                         "securitySchemes":{"bearer":{"httpAuthSecurityScheme":{"scheme":"Bearer"}},
                          "o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":{"authorizationUrl":"a","tokenUrl":"t","scopes":{},"pkceRequired":false}}}}},
                         "securityRequirements":[{"schemes":{"bearer":{"list":[]}}}],"url":"old","protocolVersion":"0.3"}
                        """)
                        .get(0))
                .isEqualTo(
                        """
                                {"capabilities":{"extensions":[{"params":{"b":1,"c":[0,false]},"uri":"e"}],\
                                "streaming":false},"defaultInputModes":["t"],"defaultOutputModes":["t"],\
                                "name":"Example é",\
                                "securitySchemes":{"bearer":{"httpAuthSecurityScheme":{"scheme":"Bearer"}},\
                                "o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":{"authorizationUrl":"a",\
                                "tokenUrl":"t"}}}}},"supportedInterfaces":[{"protocolBinding":"JSONRPC",\
                                "protocolVersion":"1.0","url":"u"}],"version":"1"}\
                                """);
    }

    @Test
    void a_received_card_is_also_verified_as_it_is() {
        List<String> forms = text(CardForms.toVerify(card("{\"name\":\"A\",\"new\":[],\"signatures\":[{}]}")));
        assertThat(forms).containsExactly("{\"name\":\"A\"}", "{\"name\":\"A\",\"new\":[]}");
    }

    private static ObjectNode card(String json) {
        return (ObjectNode) TestJson.read(json);
    }

    private static List<String> toSign(String json) {
        return text(CardForms.toSign(card(json)));
    }

    private static List<String> text(List<byte[]> forms) {
        return forms.stream()
                .map(form -> new String(form, StandardCharsets.UTF_8))
                .toList();
    }
}
