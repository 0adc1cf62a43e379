package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the command line says that an agent lives, is expected, or is stuck. */
class LifeTextTest {

    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final String SEEN = "'last_heartbeat_at':'2026-11-25T09:00:00Z'";
    private static final String NIGHTLY =
            "'heartbeat_config':{'dead_after_seconds':7200,'schedule':{'cron':'0 2 * * *','time_zone':'Europe/Berlin','grace_seconds':600}}";

    private static LifeText text(String fields) throws IOException {
        return new LifeText(Json.read("{" + fields.replace('\'', '"') + "}"), NOW);
    }

    private static Map<String, String> facts(String fields) throws IOException {
        return text(SEEN + "," + fields).facts();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "'status':'active'; 3 h ago",
                "'last_seen_by':'heartbeat'; 3 h ago",
                "'last_seen_by':'ping'; 3 h ago by a ping",
                "'heartbeat_mode':'none'; 3 h ago, only called",
                "'expected_at':'2027-01-15T01:00:00Z'; 3 h ago, expected in 51 d"
            })
    void lists_say_when_an_agent_was_seen_and_what_is_expected_of_it(String field, String brief) throws IOException {
        assertThat(text(SEEN + "," + field).brief()).matches(brief);
    }

    @Test
    void an_agent_says_what_it_lives_from() throws IOException {
        assertThat(facts("'heartbeat_config':{'dead_after_seconds':300,'signs_of_life':['calls','outcomes']}"))
                .containsEntry("lives from", "calls, outcomes");
        assertThat(facts(NIGHTLY)).doesNotContainKey("lives from");
    }

    @Test
    void reasons_say_since_when_an_agent_is_stuck_and_which_run_did_not_come() throws IOException {
        assertThat(
                        text("'reasons':['stalled','score_degraded'],'stalled_since':'2026-11-25T11:48:00Z','activity':{'phase':'tool'}")
                                .reasons())
                .isEqualTo("stalled for 12 min in a tool, score degraded");
        assertThat(text("'reasons':['silent'],'expected_at':'2026-11-20T01:00:00Z'")
                        .reasons())
                .isEqualTo("no run 5 d ago");
        assertThat(text("'reasons':['silent']").reasons()).isEqualTo("silent");
        assertThat(text("'reasons':['no_sign_of_life']").reasons()).isEqualTo("no sign of life");
        assertThat(text("'reasons':['no_sign_of_life'],'heartbeat_mode':'none'").reasons())
                .isEqualTo("only called, few calls yet");
    }

    @Test
    void an_agent_that_was_never_heard_has_no_last_heartbeat() throws IOException {
        assertThat(facts("'heard':false")).containsEntry("heartbeat", "none since the registration");
        assertThat(text(SEEN + ",'heard':false").brief()).isEqualTo("none since the registration");
        assertThat(facts(NIGHTLY + ",'heard':false").get("runs")).endsWith("has not run yet");
    }

    @Test
    void an_agent_without_reported_progress_shows_its_load_and_its_tasks() throws IOException {
        String tasks = "'capacity':{'current_load':2,'max_concurrent_tasks':5},'tasks_in_progress':['t-1','t-2']";
        assertThat(facts(tasks))
                .containsEntry("work", "no progress reported")
                .containsEntry("load", "2 of 5")
                .containsEntry("tasks", "t-1, t-2");
        assertThat(facts("'capacity':{'current_load':0,'max_concurrent_tasks':null},'tasks_in_progress':[]"))
                .containsEntry("work", "no task known")
                .containsEntry("load", "0")
                .doesNotContainKey("tasks");
    }

    @Test
    void a_run_is_shown_with_its_schedule() throws IOException {
        Map<String, String> facts =
                facts(NIGHTLY + ",'registered_at':'2026-11-01T00:00:00Z','expected_at':'2026-11-26T01:00:00Z'");
        assertThat(facts)
                .containsEntry("runs", "expected in 13 h, last ran 3 h ago")
                .containsEntry("schedule", "0 2 * * * (Europe/Berlin)")
                .containsEntry("silence", "unhealthy 10 min after a run that did not come, dead 2 h later")
                .containsEntry("work", "no task known")
                .doesNotContainKey("heartbeat");
    }

    @Test
    void a_run_that_did_not_come_says_how_late_it_is_and_one_that_never_came_so_too() throws IOException {
        assertThat(facts(NIGHTLY + ",'expected_at':'2026-11-25T11:20:00Z'"))
                .containsEntry("runs", "expected 40 min ago, last ran 3 h ago");
        assertThat(facts(NIGHTLY + ",'heard':false")).containsEntry("runs", "has not run yet");
    }

    @Test
    void the_silence_of_others_is_shown_as_they_declare_it() throws IOException {
        assertThat(facts("'heartbeat_config':{'mode':'none','dead_after_seconds':300}"))
                .containsEntry("silence", "no fault: the agent is only called")
                .containsEntry("heartbeat", "3 h ago");
        assertThat(facts("'heartbeat_config':{'unhealthy_after_seconds':90,'dead_after_seconds':300}"))
                .containsEntry("silence", "unhealthy after 90 s, dead after 5 min");
        assertThat(
                        facts(
                                "'heartbeat_config':{'dead_after_seconds':300,'schedule':{'every_seconds':3600,'grace_seconds':60}}"))
                .containsEntry("schedule", "every 60 min");
    }

    @Test
    void work_says_what_it_waits_for_and_since_when() throws IOException {
        String activity = "'activity':{'phase':'tool','last_progress_at':'2026-11-25T11:40:00Z'}";
        assertThat(facts(activity)).containsEntry("work", "last progress 20 min ago, in a tool");
        assertThat(facts(activity + ",'stalled':true,'stalled_since':'2026-11-25T11:55:00Z'")
                        .get("work"))
                .isEqualTo("stalled for 5 min in a tool");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "'failure':null,'at':'2026-11-25T11:57:00Z','response_ms':42,'declared':null; answered in 42 ms, 3 min ago",
                "'failure':null,'at':'2026-11-25T11:57:00Z','response_ms':42,'declared':'degraded'; answered in 42 ms, 3 min ago, declares itself degraded",
                "'failure':'connection refused','since':'2026-11-25T10:00:00Z','response_ms':0; failed for 2 h: connection refused"
            })
    void a_watched_agent_says_how_and_what_the_last_probe_found(String probe, String found) throws IOException {
        String watch = "'watch':{'by':'agent_health','interval_seconds':60}";
        assertThat(facts(watch + ",'last_probe':{" + probe + ",'certificate_ends_at':'2026-12-07T12:00:00Z'}"))
                .containsEntry("watched", "every 60 s by agent health")
                .containsEntry("last probe", found)
                .containsEntry("certificate", "ends in 12 d");
        assertThat(facts(watch)).containsEntry("last probe", "none yet").doesNotContainKeys("certificate", "card");
        assertThat(facts(watch + ",'signature':'unknown_key','last_probe':{" + probe + "}"))
                .containsEntry("card", "signed by an unknown key");
        assertThat(facts(watch + ",'last_probe':{" + probe + ",'certificate_ends_at':'2026-11-20T12:00:00Z'}"))
                .containsEntry("certificate", "ended 5 d ago");
        assertThat(facts(watch + ",'last_probe':{'response_ms_last_day':{'mean':120,'min':95,'max':340}}"))
                .containsEntry("response time", "120 ms, 95 to 340 ms in the last day");
        assertThat(facts("'status':'active'"))
                .doesNotContainKeys("watched", "last probe", "response time", "certificate");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "'last_ping_at':null,'last_signal':null; none yet",
                "'last_ping_at':'2026-11-25T09:00:00Z','last_signal':'done','duration_ms':null; done 3 h ago",
                "'last_ping_at':'2026-11-25T09:00:00Z','last_signal':'start','duration_ms':null; started 3 h ago",
                "'last_ping_at':'2026-11-25T09:00:00Z','last_signal':'fail','duration_ms':900; failed 3 h ago, took 1 s",
                "'last_ping_at':'2026-11-25T09:00:00Z','last_signal':'3','duration_ms':600000; exit code 3 3 h ago, took 10 min"
            })
    void pings_say_what_was_reported_and_when(String address, String said) throws IOException {
        assertThat(pinged(address)).containsEntry("last ping", said).doesNotContainKey("last message");
    }

    @Test
    void the_message_of_a_ping_is_one_line_and_short() throws IOException {
        String done = "'last_ping_at':'2026-11-25T09:00:00Z','last_signal':'done','last_message':";
        assertThat(pinged(done + "'3 invoices\\n  sent'")).containsEntry("last message", "3 invoices sent");
        assertThat(pinged(done + "'" + "x".repeat(400) + "'").get("last message"))
                .isEqualTo("x".repeat(300) + "...");
    }

    private static Map<String, String> pinged(String address) throws IOException {
        return LifeText.pinged(Json.read("{" + address.replace('\'', '"') + "}"), NOW);
    }
}
