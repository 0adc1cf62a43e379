package dev.agenthealth.local.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only what clocks and chance make differ may differ between two answers that are alike. */
class LikenessTest {

    private static final String FIRST = "01KGYB3V9V6Q1Z8M5T2W7X4R0N";
    private static final String SECOND = "01KGYB3V9V6Q1Z8M5T2W7X4R0P";

    private static JsonNode likeness(String json) {
        try {
            return new Likeness().of(Json.read(json.replace('\'', '"')));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'registered_at':'2026-11-21T15:13:07.222Z'} | {'registered_at':'2026-11-21T15:13:08Z'}",
                "{'latency_ms':3} | {'latency_ms':24}",
                "{'a':[{'uptime_seconds':3}]} | {'a':[{'uptime_seconds':4}]}",
                "{'resume_token':'AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJico'} | {'resume_token':'ASgpKissLS4vMDEyMzQ1Njc4OTo7PD0-P0BBQkNERUZHSElKS0xNTk9Q'}",
                "{'next_token':'AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJico'} | {'next_token':'ASgpKissLS4vMDEyMzQ1Njc4OTo7PD0-P0BBQkNERUZHSElKS0xNTk9Q'}",
                "{'headers':{'ETag':'W/\\\"gHbweq4harJBzjZ4\\\"'}} | {'headers':{'ETag':'W/\\\"hlC-4yh3iXOfpyxj\\\"'}}",
                "{'b':1,'a':2} | {'a':2,'b':1}"
            })
    void what_time_makes_differ_is_alike(String one, String other) {
        assertThat(likeness(one)).isEqualTo(likeness(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'statusCode':200} | {'statusCode':500}",
                "{'status':'active'} | {'status':'dead'}",
                "{'registered_at':'2026-11-21T15:13:07.222Z'} | {'registered_at':null}",
                "{'registered_at':'2026-11-21T15:13:07.222Z'} | {'registered_at':1795273987222}",
                "{'registered_at':'2026-11-21T15:13:07.222Z'} | {'registered_at':'2026-11-21T15:13:07.222123Z'}",
                "{'registered_at':'2026-11-21T15:13:07.222Z'} | {}",
                "{'changed':'2026-11-21T15:13:07.222Z'} | {'changed':'2026-11-21T15:13:08.222Z'}",
                "{'latency_ms':3} | {'latency_ms':'3'}",
                "{'latency_ms':3} | {'latency_ms':null}",
                "{'sample_count':3} | {'sample_count':4}",
                "{'api_key':'ahk_short'} | {'api_key':'ahk_other'}",
                "{'resume_token':'AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJico'} | {'resume_token':''}",
                "{'headers':{'ETag':'1'}} | {'headers':{'ETag':'2'}}",
                "{'headers':{'ETag':'1'}} | {'headers':{'etag':'1'}}",
                "{'isBase64Encoded':false} | {'isBase64Encoded':true}",
                "{'isBase64Encoded':false} | {}",
                "{'cookies':null} | {}",
                "{'a':1} | {'a':1.0}",
                "['a','b'] | ['b','a']"
            })
    void anything_else_is_not(String one, String other) {
        assertThat(likeness(one)).isNotEqualTo(likeness(other));
    }

    @Test
    void generated_ids_are_alike_where_the_same_ones_are_in_the_same_places() {
        String one = "{'id':'lease_" + FIRST + "','path':'/leases/lease_" + FIRST + "','other':'lease_" + SECOND + "'}";
        String alike = one.replace(FIRST, "x").replace(SECOND, FIRST).replace("x", SECOND);
        assertThat(likeness(alike)).isEqualTo(likeness(one));
        assertThat(likeness(one.replace(SECOND, FIRST))).isNotEqualTo(likeness(one));
        assertThat(likeness(one.replace("lease_" + SECOND, "rcpt_" + SECOND))).isNotEqualTo(likeness(one));
        assertThat(likeness(one.replace(SECOND, SECOND.substring(1)))).isNotEqualTo(likeness(one));
    }

    @Test
    void a_body_is_compared_field_by_field() {
        String body = "{'body':'{\\'registered_at\\':\\'2026-11-21T15:13:07Z\\',\\'version\\':1}'}";
        assertThat(likeness(body.replace(":07Z", ":08Z"))).isEqualTo(likeness(body));
        assertThat(likeness(body.replace(":1}", ":2}"))).isNotEqualTo(likeness(body));
    }
}
