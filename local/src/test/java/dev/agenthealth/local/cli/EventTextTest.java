package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the command line describes an event. */
class EventTextTest {

    @ParameterizedTest(name = "{2}, {3}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "'type':'agent.usage','level':'exceeded','used':12900,'maximum':10000,'limit':'tokens_per_hour'; usage; exceeded; 12,900 of 10,000 tokens per hour",
                "'type':'shared.usage','level':'warning','used':850,'maximum':1000,'limit':'executions_per_hour'; shared usage; warning; 850 of 1,000 executions per hour",
                "'type':'agent.usage','level':'none','limit':'tokens_per_hour'; usage; none; ##",
                "'type':'agent.lifecycle','new_status':'active','reason':'re_registered'; lifecycle; active; re-registered"
            })
    void an_event_has_its_kind_its_state_and_its_reason(String fields, String kind, String state, String reason)
            throws IOException {
        var event = Json.read("{" + fields.replace('\'', '"') + "}");
        assertThat(EventText.kind(event)).isEqualTo(kind);
        assertThat(EventText.state(event)).isEqualTo(state);
        assertThat(EventText.reason(event)).isEqualTo(reason);
    }
}
