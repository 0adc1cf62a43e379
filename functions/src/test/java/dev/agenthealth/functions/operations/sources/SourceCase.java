package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A source beside a server whose documents a test chooses. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class SourceCase {

    static final String CARD_03 =
            """
            {'protocolVersion':'0.3.0','name':'Research','description':'Finds papers.','url':'@/research','version':'1.0.0',
             'capabilities':{},'defaultInputModes':['text/plain'],'defaultOutputModes':['text/plain'],
             'provider':{'organization':'Example Labs','url':'https://labs.example'},
             'skills':[{'id':'papers','name':'Papers','description':'Finds papers.','tags':['science']},
                       {'id':'a, b','name':'Both','description':'Both.','tags':[]}]}""";

    static final String CARD_10 =
            """
            {'name':'Billing','description':'Writes bills.','version':'2.1.0','capabilities':{},
             'supportedInterfaces':[{'url':'@/grpc','protocolBinding':'GRPC','protocolVersion':'1.0'},
                                    {'url':'@/billing','protocolBinding':'JSONRPC','protocolVersion':'1.0'}],
             'defaultInputModes':['text/plain'],'defaultOutputModes':['text/plain'],
             'skills':[{'id':'invoice','name':'Invoice','description':'Writes one.','tags':[]}],
             'signatures':[{'protected':'eyJhbGciOiJFUzI1NiJ9','signature':'AAAA'}]}""";

    final SourceHarness harness = new SourceHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    String id(String rest) {
        return "catalogue.test:" + harness.server.port() + rest;
    }

    static String catalogue(String... entries) {
        return "{'specVersion':'1.0','entries':[" + String.join(",", entries) + "]}";
    }

    static String agent(String name, String more) {
        return "{'identifier':'urn:air:example.com:agents:" + name + "','displayName':'" + name
                + "','mediaType':'application/a2a-agent-card+json'," + more + "}";
    }

    static String embedded(String name, String skill) {
        return agent(name, "'data':{'name':'" + name + "','url':'@/" + name + "','skills':[{'id':'" + skill + "'}]}");
    }

    static String card(String skill) {
        return "{'name':'one','url':'@/one','skills':[{'id':'" + skill + "'}]}";
    }

    List<JsonNode> changes(String agentId) {
        return new TestAgent(harness.system, agentId)
                .events().stream()
                        .filter(event -> event.path("type").asText().equals("agent.declaration_changed"))
                        .toList();
    }

    static String server(String name, String path, String more) {
        return agent(
                        name,
                        "'data':{'name':'" + name + "','remotes':[{'type':'streamable-http','url':'@" + path + "'"
                                + more + "}]}")
                .replace("a2a-agent-card", "mcp-server-card");
    }

    /** The metadata of an agent with a field of its owner. */
    String metadata(String agentId) {
        return harness.agent(agentId).json().path("metadata").toString().replaceFirst("[{]", "{'team':'mine',");
    }

    static String server(String name, String more) {
        return "{'server':{'name':'" + name + "','description':'d','version':'1.0.0'" + more + "}}";
    }

    static List<String> reasons(JsonNode sync) {
        List<String> reasons = new ArrayList<>();
        sync.path("skipped")
                .forEach(entry -> reasons.add(entry.path("identifier").asText() + " "
                        + entry.path("reason").asText()));
        return reasons;
    }

    static String resource(String kind, String name, String annotations, String spec) {
        return "{'apiVersion':'v1','kind':'" + kind + "','metadata':{'name':'" + name
                + "','namespace':'shop','annotations':{" + annotations + "}},'spec':{" + spec + "}}";
    }

    static String document(String document) {
        return "{'key_id':'" + SourceHarness.KEY_ID + "','document':" + document + "}";
    }
}
