package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.registry.profile.WatchKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a body makes of a watch, and how a watch is shown. */
class WatchFieldsTest {

    private static final Watch BEFORE =
            new Watch(WatchKind.HTTP, "https://a.example/up", 120, 7, List.of(200, 204), "ok");

    private static Watch change(Watch before, String body) {
        Fields fields = Fields.ofBody(body.replace('\'', '"'));
        Watch after = WatchFields.read(fields).apply(before);
        fields.check();
        return after;
    }

    private static String shown(Watch watch) {
        ObjectNode json = Json.object();
        WatchFields.put(json, watch);
        return json.toString().replace('"', '\'');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | {'by':'http','url':null,'interval_seconds':60,'timeout_seconds':5,"
                        + "'expect':{'statuses':[],'contains':null}}",
                "{'by':'a2a','interval_seconds':6} | {'by':'a2a','url':null,'interval_seconds':6,'timeout_seconds':5,"
                        + "'expect':{'statuses':[],'contains':null}}",
                "{'url':'https://b.example','timeout_seconds':20,'expect':{'statuses':[503],'contains':'x'}} | "
                        + "{'by':'http','url':'https://b.example','interval_seconds':60,'timeout_seconds':20,"
                        + "'expect':{'statuses':[503],'contains':'x'}}"
            })
    void a_first_watch_has_defaults(String body, String shown) {
        assertThat(shown(change(Watch.NONE, body))).isEqualTo("{'watch':" + shown + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | {'by':'http','url':'https://a.example/up','interval_seconds':120,'timeout_seconds':7,"
                        + "'expect':{'statuses':[200,204],'contains':'ok'}}",
                "{'url':null,'interval_seconds':null,'timeout_seconds':null} | {'by':'http','url':null,"
                        + "'interval_seconds':60,'timeout_seconds':5,'expect':{'statuses':[200,204],'contains':'ok'}}",
                "{'expect':{'statuses':null}} | {'by':'http','url':'https://a.example/up','interval_seconds':120,"
                        + "'timeout_seconds':7,'expect':{'statuses':[],'contains':'ok'}}",
                "{'by':'mcp','expect':{'statuses':[],'contains':null}} | {'by':'mcp','url':'https://a.example/up',"
                        + "'interval_seconds':120,'timeout_seconds':7,'expect':{'statuses':[],'contains':null}}"
            })
    void what_a_change_leaves_out_stays_and_null_is_the_default(String body, String shown) {
        assertThat(shown(change(BEFORE, body))).isEqualTo("{'watch':" + shown + "}");
    }

    @Test
    void what_is_watched_otherwise_stays_so() {
        Watch before = new Watch(WatchKind.MCP, "", 60, 5, List.of(), "");

        assertThat(change(before, "{'timeout_seconds':6}").by()).isEqualTo(WatchKind.MCP);
        assertThat(change(before, "{'by':null}").by()).isEqualTo(WatchKind.HTTP);
        assertThat(shown(Watch.NONE)).isEqualTo("{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'by':'smtp'} | by",
                "{'by':'a2a'} | expect",
                "{'by':'mcp','expect':{'contains':null}} | expect",
                "{'by':'mcp','expect':{'statuses':null}} | expect",
                "{'url':'ftp://a.example'} | url",
                "{'url':'https://user@a.example'} | url",
                "{'interval_seconds':0} | interval_seconds",
                "{'interval_seconds':86401} | interval_seconds",
                "{'interval_seconds':7} | timeout_seconds",
                "{'interval_seconds':6} | timeout_seconds",
                "{'timeout_seconds':21} | timeout_seconds",
                "{'expect':{'statuses':[199]}} | expect.statuses[0]",
                "{'expect':{'statuses':[600]}} | expect.statuses[0]",
                "{'expect':{'body':'x'}} | expect.body",
                "{'every':60} | every"
            })
    void a_wrong_field_is_named(String body, String field) {
        assertThatThrownBy(() -> change(BEFORE, body))
                .isInstanceOf(ApiError.class)
                .hasMessageStartingWith("'" + field + "' ");
        assertThat(change(BEFORE, "{'interval_seconds':8}").intervalSeconds()).isEqualTo(8);
    }
}
