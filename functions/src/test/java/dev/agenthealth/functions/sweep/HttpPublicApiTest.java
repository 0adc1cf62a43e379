package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.sweep.PublicApi.Answer;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class HttpPublicApiTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    @AutoClose
    private final ScriptedServer server = ScriptedServer.http();

    @ParameterizedTest(name = "{0}: heartbeat {1}, registration {2}")
    @CsvSource({
        "200, ACKNOWLEDGED, FAILED",
        "401, FAILED, ACKNOWLEDGED",
        "403, FAILED, FAILED",
        "429, THROTTLED, THROTTLED",
        "500, FAILED, FAILED",
        "503, FAILED, FAILED"
    })
    void an_answer_means_what_its_status_says(int status, Answer heartbeat, Answer registration) {
        server.plays(Script.status(status));
        PublicApi api = apis(Map.of("PUBLIC_URL", url()))[0];
        assertThat(api.sendHeartbeat("canary-1", "key")).isEqualTo(heartbeat);
        assertThat(api.sendRegistration("key")).isEqualTo(registration);
        assertThat(server.requests())
                .extracting(ScriptedServer.Request::line)
                .containsExactly("POST /api/v1/agents/canary-1/heartbeat HTTP/1.1", "POST /api/v1/agents HTTP/1.1");
    }

    @Test
    void the_function_url_gets_no_registration() {
        server.plays(Script.status(401));
        PublicApi[] apis = apis(Map.of("PUBLIC_URL", url(), "HEARTBEAT_URL", url()));
        assertThat(apis).hasSize(2);
        assertThat(apis[1].sendRegistration("key")).isEqualTo(Answer.ACKNOWLEDGED);
        assertThat(server.requests()).isEmpty();
    }

    private String url() {
        return "http://127.0.0.1:" + server.port();
    }

    private PublicApi[] apis(Map<String, String> environment) {
        return HttpPublicApi.inUse(system.wiring(environment));
    }
}
