package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How an agent declares the way in which it shows that it lives. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LifeSignsTest {

    private static final String CONFIG = ",\"heartbeat_config\":";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final RegistryClient client = new RegistryClient(system);

    @ParameterizedTest(name = "{0} is refused at {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "{'mode':'some'}; mode",
                "{'mode':'none','schedule':{'every_seconds':60}}; schedule",
                "{'schedule':{}}; schedule.cron",
                "{'schedule':{'cron':'0 2 * * *','every_seconds':60}}; schedule.cron",
                "{'schedule':{'cron':'0 0 30 2 *'}}; schedule.cron",
                "{'schedule':{'cron':'every day'}}; schedule.cron",
                "{'schedule':{'cron':'0 2 * * *','time_zone':'Middle/Earth'}}; schedule.time_zone",
                "{'schedule':{'cron':'@daily','time_zone':'PST'}}; schedule.time_zone",
                "{'schedule':{'cron':'TZ=UTC @daily','time_zone':'Europe/Berlin'}}; schedule.time_zone",
                "{'schedule':{'cron':'TZ=Middle/Earth @daily'}}; schedule.cron",
                "{'schedule':{'cron':'@reboot'}}; schedule.cron",
                "{'schedule':{'cron':'@every 1d'}}; schedule.cron",
                "{'schedule':{'cron':'@every 1h','every_seconds':3600}}; schedule.cron",
                "{'schedule':{'every_seconds':60,'time_zone':'UTC'}}; schedule.time_zone",
                "{'schedule':{'every_seconds':0}}; schedule.every_seconds",
                "{'schedule':{'every_seconds':31622401}}; schedule.every_seconds",
                "{'schedule':{'every_seconds':60,'grace_seconds':-1}}; schedule.grace_seconds",
                "{'schedule':{'every_seconds':60,'grace_seconds':2592001}}; schedule.grace_seconds",
                "{'schedule':{'every_seconds':60,'colour':'red'}}; schedule.colour",
                "{'schedule':'0 2 * * *'}; schedule",
                "{'signs_of_life':['calls','dreams']}; signs_of_life[1]",
                "{'signs_of_life':'calls'}; signs_of_life",
                "{'signs_of_life':['calls','outcomes','spans','calls']}; signs_of_life",
            })
    void a_declaration_that_means_nothing_is_refused_with_the_name_of_its_field(String config, String field) {
        String json = config.replace('\'', '"');
        Response refused = client.register("{\"agent_id\":\"bad\",\"heartbeat_config\":" + json + "}");
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().get("errors").findValuesAsText("field")).containsExactly("heartbeat_config." + field);
        assertThat(client.get("bad").status()).isEqualTo(404);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "0 0 30 2 *; names no day: day 30 is in none of the months 2",
                "@reboot; must name times, and @reboot names none: the registry does not see when a machine starts. Leave the schedule out, and send heartbeats",
                "every day; must be a cron expression with five fields: Cron expression contains 2 parts but we expect one of [5]"
            })
    void the_message_about_a_schedule_says_what_is_wrong_in_one_sentence(String cron, String message) {
        Response refused = client.register("{\"heartbeat_config\":{\"schedule\":{\"cron\":\"" + cron + "\"}}}");
        assertThat(refused.json().get("errors").findValuesAsText("message")).containsExactly(message);
    }

    @Test
    void a_declaration_is_shown_as_it_was_made_with_its_defaults() {
        TestAgent agent = client.newAgent(CONFIG + "{\"schedule\":{\"cron\":\"0 2 * * *\"}}");
        JsonNode config = client.get(agent.id()).json().get("heartbeat_config");
        assertThat(config.get("schedule").toString())
                .isEqualTo(
                        """
                        {"cron":"0 2 * * *","time_zone":"UTC","grace_seconds":300}\
                        """);
        assertThat(config.has("mode")).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "'cron':'@hourly'; 'cron':'0 * * * *','time_zone':'UTC'",
                "'cron':'@weekly','time_zone':'US/Pacific'; 'cron':'0 0 * * 0','time_zone':'US/Pacific'",
                "'cron':'CRON_TZ=Asia/Tokyo 0 9 ? * MON-FRI'; 'cron':'0 9 * * MON-FRI','time_zone':'Asia/Tokyo'",
                "'cron':'TZ=EST @daily','time_zone':'America/Panama'; 'cron':'0 0 * * *','time_zone':'America/Panama'",
                "'cron':'0\\t2\\t*\\t*\\t*','time_zone':'EST'; 'cron':'0 2 * * *','time_zone':'America/Panama'",
                "'cron':'@every 1h30m'; 'every_seconds':5400",
                "'cron':'@every 90s','time_zone':'Europe/Berlin'; 'every_seconds':90",
            })
    void a_schedule_of_another_system_is_shown_as_fields_or_as_an_interval(String declared, String shown) {
        TestAgent agent = client.newAgent(CONFIG + ("{'schedule':{" + declared + "}}").replace('\'', '"'));
        assertThat(client.get(agent.id())
                        .json()
                        .at("/heartbeat_config/schedule")
                        .toString())
                .isEqualTo(("{" + shown + ",'grace_seconds':300}").replace('\'', '"'));
    }

    @Test
    @Tag("R16-01")
    void an_agent_that_declares_nothing_shows_nothing_new() {
        JsonNode record = client.get(client.newAgent("").id()).json();
        assertThat(record.get("heartbeat_config").size()).isEqualTo(3);
        assertThat(record.has("expected_at")).isFalse();
    }

    @Test
    void a_change_keeps_what_it_does_not_name_and_null_clears() {
        TestAgent agent = client.newAgent(CONFIG + "{\"schedule\":{\"every_seconds\":600}}");
        assertThat(agent.change("{\"heartbeat_config\":{\"interval_seconds\":20}}")
                        .status())
                .isEqualTo(200);
        JsonNode kept = client.get(agent.id()).json();
        assertThat(kept.get("heartbeat_config")
                        .get("schedule")
                        .get("every_seconds")
                        .intValue())
                .isEqualTo(600);
        assertThat(kept.has("expected_at")).isTrue();
        Response cleared = agent.change("{\"heartbeat_config\":{\"schedule\":null,\"mode\":\"none\"}}");
        assertThat(cleared.status()).as(cleared.text()).isEqualTo(200);
        JsonNode changed = client.get(agent.id()).json();
        assertThat(changed.get("heartbeat_config").get("mode").textValue()).isEqualTo("none");
        assertThat(changed.has("expected_at")).isFalse();
        assertThat(agent.pulse().config()).isEqualTo(agent.stored().profile().heartbeatConfig());
    }

    @Test
    void signs_of_life_are_shown_in_one_order_and_stay_beside_a_schedule_until_they_are_cleared() {
        TestAgent agent = client.newAgent(
                CONFIG + "{\"schedule\":{\"every_seconds\":600},\"signs_of_life\":[\"spans\",\"calls\"]}");
        agent.change(
                """
                {"heartbeat_config":{"schedule":{"cron":"0 2 * * *","time_zone":"Etc/GMT+1"}}}\
                """);
        JsonNode config = client.get(agent.id()).json().get("heartbeat_config");
        assertThat(config.get("signs_of_life").toString()).isEqualTo("[\"calls\",\"spans\"]");
        assertThat(config.at("/schedule/time_zone").textValue()).isEqualTo("Etc/GMT+1");
        agent.change("{\"heartbeat_config\":{\"schedule\":null,\"mode\":\"none\"}}");
        assertThat(agent.pulse().config()).isEqualTo(agent.stored().profile().heartbeatConfig());
        assertThat(client.get(agent.id()).json().at("/heartbeat_config/signs_of_life"))
                .hasSize(2);
        agent.change("{\"heartbeat_config\":{\"signs_of_life\":[],\"mode\":null}}");
        assertThat(client.get(agent.id()).json().get("heartbeat_config").size()).isEqualTo(3);
    }

    @Test
    void a_record_may_be_sent_back_as_it_was_read() {
        TestAgent agent = client.newAgent(CONFIG + "{\"schedule\":{\"cron\":\"*/5 * * * *\"}}");
        Response read = client.get(agent.id());
        assertThat(agent.change(read.text()).status()).isEqualTo(200);
    }

    @Test
    void rows_of_lists_show_when_a_job_is_expected() {
        TestAgent agent = client.newAgent(CONFIG + "{\"schedule\":{\"every_seconds\":600}},\"role_id\":\"jobs\"");
        JsonNode row =
                client.list(Map.of("role_id", "jobs")).json().get("agents").get(0);
        assertThat(row.get("agent_id").textValue()).isEqualTo(agent.id());
        assertThat(row.get("expected_at"))
                .isEqualTo(client.get(agent.id()).json().get("expected_at"));
    }

    @Test
    void rows_of_lists_show_whose_silence_is_no_fault() {
        client.newAgent(CONFIG + "{\"mode\":\"none\"},\"role_id\":\"called\"");
        client.newAgent(",\"role_id\":\"called\"");
        assertThat(client.list(Map.of("role_id", "called")).json().get("agents").findValuesAsText("heartbeat_mode"))
                .containsExactly("none");
    }

    @Test
    void a_registration_sets_the_schedule_anew() {
        TestAgent agent = client.newAgent(CONFIG + "{\"schedule\":{\"every_seconds\":600}}");
        agent.deregister();
        assertThat(client.register("{\"agent_id\":\"" + agent.id() + "\"}").status())
                .isEqualTo(201);
        assertThat(client.get(agent.id()).json().get("heartbeat_config").has("schedule"))
                .isFalse();
    }
}
