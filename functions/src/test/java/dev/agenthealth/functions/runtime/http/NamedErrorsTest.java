package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bad request names every bad field and parameter at once, whatever stage of its validation finds the error. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NamedErrorsTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeAll
    void register() {
        assertThat(send("POST", "/api/v1/agents", TestSystem.AGENT_KEY, "{\"agent_id\":\"a\"}")
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PATCH /api/v1/agents/a/status | {'status':'active','surprise':1} | status,surprise",
                "PATCH /api/v1/agents/a/status | {'status':'bogus','surprise':1} | status,surprise",
                "PATCH /openintent/api/v1/agents/a/status | {'status':'dead','surprise':1} | status,surprise",
                "POST /api/v1/agents | {'capacity':{'max_concurrent_tasks':-1}} | capacity.max_concurrent_tasks,owner_key_id",
                "POST /api/v1/agents | {'agent_id':'new','name':7} | name,owner_key_id",
                "POST /api/v1/agents | {'agent_id':'a','name':7} | name",
                "POST /v1/admin/stop | {'reason':' ','surprise':1} | all,reason,surprise",
                "POST /v1/admin/stop | {'all':true,'role_id':'-','reason':''} | role_id,all,reason",
                "POST /v1/admin/import?dry_run=maybe | {'surprise':[]} | surprise,dry_run,format,version",
                "POST /v1/admin/sources/s/sync?dry_run=maybe | {'kind':'odd'} | dry_run,url,key_id,kind",
                "POST /api/v1/agents/a/outcomes | {'batch_id':7,'outcomes':[]} | outcomes,batch_id"
            })
    void every_stage_of_a_validation_reports(String route, String body, String fields) {
        assertThat(named(route, body)).containsExactlyInAnyOrder(fields.split(","));
    }

    @Test
    void a_bad_idempotency_key_is_named_beside_the_fields_of_the_body() {
        TestApi.Response refused = request("POST", "/v1/agents/a/invoke", TestSystem.ADMINISTRATOR_KEY)
                .header("idempotency-key", "\"unclosed")
                .body("{\"message\":7,\"surprise\":1}")
                .send();
        assertThat(fields(refused)).containsExactlyInAnyOrder("message", "surprise", "Idempotency-Key");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PATCH /api/v1/agents/a | {'coordinator_key_ids':['k','-',7]} | coordinator_key_ids[1],coordinator_key_ids[2]",
                "PATCH /api/v1/agents/a | {'capabilities':['x','a,b']} | capabilities[1]",
                "PATCH /api/v1/agents/a | {'heartbeat_config':{'signs_of_life':['outcomes','odd']}} | heartbeat_config.signs_of_life[1]",
                "POST /v1/admin/keys | {'role':'viewer','role_ids':['r','-']} | role_ids[1]",
                "POST /v1/admin/keys | {'role':'agent','provider_ids':[1,'p','-']} | provider_ids[0],provider_ids[2]",
                "POST /v1/admin/keys | {'role':'agent','actions':['read','fly']} | actions[1]",
                "POST /v1/admin/keys | {'role':'agent','allowed_addresses':['10.0.0.0/8','x']} | allowed_addresses[1]",
                "PUT /v1/admin/containment/c | {'action':'drain','when':{'reasons':['looping','odd']},'filter':{'roles':[1,'-']}} | when.reasons[1],filter.roles[0],filter.roles[1]",
                "PUT /v1/admin/notifications/n | {'events':['agent.health','odd'],'target':{'type':'webhook','url':'https://x.example'}} | events[1]",
                "PUT /v1/admin/notifications/n | {'events':['agent.health'],'filter':{'role_ids':[1,'-']},'target':{'type':'webhook','url':'https://x.example'}} | filter.role_ids[0],filter.role_ids[1]"
            })
    void a_bad_entry_of_a_list_is_named_with_its_index(String route, String body, String fields) {
        assertThat(named(route, body)).containsExactlyInAnyOrder(fields.split(","));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PATCH /api/v1/agents/a | {'name':''} | name",
                "PATCH /api/v1/agents/a | {'endpoint':'','platform':'','agent_uri':''} | endpoint,platform,agent_uri",
                "PATCH /api/v1/agents/a | {'watch':{'url':'','expect':{'contains':''}}} | watch.url,watch.expect.contains",
                "POST /api/v1/agents/a/commands | {'command':'drain','reason':''} | reason",
                "PUT /api/v1/status-page | {'path':'p','title':'t','entries':[{'name':'n','label':'','agent_id':'a'}]} | entries[0].label",
                "POST /api/v1/problems/x/acknowledge | {'note':'','assignee':''} | note,assignee"
            })
    void an_empty_text_is_no_value(String route, String body, String fields) {
        assertThat(named(route, body)).containsExactlyInAnyOrder(fields.split(","));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST /v1/admin/keys | {'role':'agent','name':''} | 201",
                "POST /api/v1/agents | {'agent_id':'empty','owner_key_id':'OWNER','instance':'','name':'','agent_version':'','platform':'','model':{'name':'m','version':''}} | 201",
                "POST /v1/admin/agents/a/block | {'reason':''} | 200",
                "PUT /api/v1/status-page/incidents/i | {'title':'t','state':'investigating','text':''} | 200",
                "POST /api/v1/agents/a/outcomes | {'batch_id':'b','outcomes':[{'result':'success','usage':{'model':'','input_tokens':1}}]} | 202"
            })
    void an_empty_text_that_the_registry_shows_is_accepted(String route, String body, int status) {
        TestApi.Response answer = sent(route, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/agents?limit=1&limit=2 | limit | twice",
                "/api/v1/agents?role_id=r&role_id=r&role_id=s | role_id | 3 times",
                "/api/v1/agents/a/events?since=2026-01-01T00:00:00Z&since=2026-01-02T00:00:00Z | since | twice",
                "/api/v1/usage?by=agent&by=role | by | twice",
                "/v1/admin/audit?action=x&action=y | action | twice"
            })
    void a_parameter_that_is_given_twice_is_named_with_that_fault(String route, String field, String times) {
        TestApi.Response refused = sent("GET " + route, null);
        JsonNode error = refused.json().at("/errors/0");
        assertThat(error.path("field").textValue()).as(refused.text()).isEqualTo(field);
        assertThat(error.path("message").textValue())
                .isEqualTo("is given " + times + "; a request has this parameter once");
    }

    @Test
    void a_list_may_be_given_in_several_parameters() {
        assertThat(sent("GET /api/v1/agents?status=active&status=dead", null).status())
                .isEqualTo(200);
    }

    private List<String> named(String route, String body) {
        return fields(sent(route, body));
    }

    private static List<String> fields(TestApi.Response refused) {
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        return refused.json().path("errors").findValuesAsText("field");
    }

    private TestApi.Response sent(String route, String body) {
        String[] parts = route.split("[ ?]");
        TestApi.Request request = request(parts[0], parts[1], TestSystem.ADMINISTRATOR_KEY);
        for (String parameter : parts.length < 3 ? new String[0] : parts[2].split("&")) {
            request.query(parameter.split("=")[0], parameter.split("=")[1]);
        }
        return (body == null
                        ? request
                        : request.body(
                                body.replace('\'', '"').replace("OWNER", TestSystem.keyId(TestSystem.AGENT_KEY))))
                .send();
    }

    private TestApi.Response send(String method, String path, String key, String body) {
        return request(method, path, key).body(body).send();
    }

    private TestApi.Request request(String method, String path, String key) {
        return system.api().request(method, path).key(key).header("if-match", "*");
    }
}
