package dev.agenthealth.functions.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.testing.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Log log = new Log(MutableClock.atExampleTime(), new PrintStream(out, true, StandardCharsets.UTF_8));

    @ParameterizedTest
    @CsvSource({
        "200,INFO",
        "304,INFO",
        "400,WARN",
        "404,WARN",
        "429,WARN",
        "500,ERROR",
        "502,WARN",
        "503,ERROR",
        "504,WARN"
    })
    void only_what_the_registry_itself_did_wrong_is_an_error(int status, String level) {
        log.request("GET /ping", "request-1", status, 7);
        assertThat(Json.stored(out.toString(StandardCharsets.UTF_8))
                        .path("level")
                        .textValue())
                .isEqualTo(level);
    }
}
