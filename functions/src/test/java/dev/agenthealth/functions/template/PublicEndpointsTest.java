package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Route;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The HTTP API: throttles, access logs, addresses. */
@Tag("SYS-03")
class PublicEndpointsTest {

    /** The fields of an access log line: none contains input of the caller. */
    private static final Set<String> LOGGED_FIELDS = Set.of(
            "$context.requestId",
            "$context.requestTimeEpoch",
            "$context.routeKey",
            "$context.status",
            "$context.responseLatency",
            "$context.integrationLatency",
            "$context.responseLength",
            "$context.error.responseType",
            "$context.integrationErrorMessage",
            "$context.identity.sourceIp");

    private static final String API = "https://abc.execute-api.us-east-1.amazonaws.com";
    private static final Map<String, String> DOMAIN = Map.of(
            "DomainName", "agents.example.com", "CertificateArn", "arn:aws:acm:us-east-1:000000000000:certificate/1");

    private final TemplateText text = new TemplateText();
    private final Map<String, Object> api =
            text.properties("AWS::Serverless::HttpApi").get("HttpApi");

    @Test
    void the_load_balancer_of_containers_passes_requests_of_known_hosts_only() {
        Map<String, Object> containers = map(
                Template.parse(ProjectFiles.text("deploy/ecs.yaml"), "ecs.yaml").document(), "Resources");
        assertThat(String.valueOf(at(containers, "Listener", "Properties", "DefaultActions")))
                .doesNotContain("TargetGroupArn");
        assertThat(References.in(at(containers, "KnownHosts", "Properties", "Conditions")))
                .containsExactly("HostNames");
    }

    @Test
    void frequent_and_expensive_routes_have_their_own_throttles() {
        Set<String> routes = routeKeys().collect(Collectors.toSet());
        Map<String, Object> settings = map(api, "RouteSettings");
        assertThat(routes).containsAll(settings.keySet());
        assertThat(settings)
                .containsOnlyKeys(
                        "POST /api/v1/agents/{agent_id}/heartbeat",
                        "POST /api/v1/heartbeats",
                        "POST /api/v1/agents",
                        "POST /api/v1/agents/{agent_id}/outcomes",
                        "POST /v1/otlp/v1/traces",
                        "POST /v1/otlp/v1/logs",
                        "POST /v1/agents/{agent_id}/invoke",
                        "POST /a2a/agents/{agent_id}",
                        "POST /a2a/agents/{agent_id}/{operation}",
                        "GET /a2a/agents/{agent_id}/tasks",
                        "GET /a2a/agents/{agent_id}/tasks/{task}",
                        "POST /a2a/agents/{agent_id}/tasks/{task}",
                        "POST /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs",
                        "GET /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs",
                        "GET /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs/{config_id}",
                        "DELETE /a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs/{config_id}",
                        "POST /a2a/agents/{agent_id}/notifications/{push_id}",
                        "GET /a2a/agents/{agent_id}/extendedAgentCard",
                        "POST /mcp",
                        "POST /search",
                        "GET /.well-known/ai-catalog.json",
                        "HEAD /.well-known/ai-catalog.json",
                        "GET /.well-known/ard.json",
                        "HEAD /.well-known/ard.json",
                        "ANY /api/v1/agents/{agent_id}/heartbeat/",
                        "ANY /api/v1/agents/{agent_id}/outcomes/",
                        "ANY /api/v1/heartbeats/",
                        "ANY /v1/otlp/{proxy+}",
                        "ANY /v1/agents/{proxy+}",
                        "ANY /a2a/{proxy+}",
                        "ANY /mcp/",
                        "ANY /search/",
                        "ANY /.well-known/{proxy+}");
        settings.put("default", api.get("DefaultRouteSettings"));
        settings.forEach((route, limits) ->
                assertThat(map(limits)).as(route).containsOnlyKeys("ThrottlingRateLimit", "ThrottlingBurstLimit"));
    }

    /** Otherwise a slash at the end of a path would be a way around its throttle. */
    @Test
    void a_slash_at_the_end_of_a_path_allows_no_more_requests() {
        Map<String, Object> settings = map(api, "RouteSettings");
        List<String> ofEveryMethod =
                routeKeys().filter(key -> key.startsWith("ANY ")).toList();
        settings.keySet().stream().filter(key -> !key.startsWith("ANY ")).forEach(key -> {
            String path = key.substring(key.indexOf(' ') + 1) + "/";
            String taken = ofEveryMethod.stream()
                    .filter(any -> path.matches(
                            any.substring(4).replace("{proxy+}", ".+").replaceAll("\\{\\w+}", "[^/]+")))
                    .max(Comparator.comparingInt(String::length))
                    .orElseThrow(() -> new AssertionError("no route takes " + path));
            Map<String, Object> limits = map(settings.getOrDefault(taken, api.get("DefaultRouteSettings")));
            for (int size = 1; size <= 2; size++) {
                assertThat((Long) list(at(limits, "ThrottlingRateLimit", "Fn::If"))
                                .get(size))
                        .as("%s, taken by %s", path, taken)
                        .isLessThanOrEqualTo((Long) list(at(settings.get(key), "ThrottlingRateLimit", "Fn::If"))
                                .get(size));
            }
        });
    }

    @Test
    void there_are_no_more_routes_than_api_gateway_allows() {
        assertThat(routeKeys()).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(300);
    }

    private Stream<String> routeKeys() {
        return text.stack().functions().stream()
                .flatMap(function -> function.routes().stream())
                .map(Route::routeKey);
    }

    @Test
    void no_route_has_a_path_that_api_gateway_answers_itself() {
        assertThat(text.stack().functions())
                .flatExtracting(FunctionDefinition::routes)
                .extracting(Route::path)
                .contains("/api/v1/ping")
                .doesNotContain("/ping", "/sping");
    }

    @Test
    void an_access_log_line_contains_no_input_of_the_caller() throws JsonProcessingException {
        List<?> choice = list(at(api, "AccessLogSettings", "Fn::If"));
        assertThat(choice.get(0)).isEqualTo("LogsAccess");
        assertThat(at(choice.get(1), "DestinationArn", "Fn::GetAtt")).isEqualTo(List.of("ApiLogs", "Arn"));
        JsonNode line = new ObjectMapper().readTree(String.valueOf(at(choice.get(1), "Format")));
        Set<String> fields = new TreeSet<>();
        line.forEach(value -> fields.add(value.asText()));
        assertThat(fields).isEqualTo(new TreeSet<>(LOGGED_FIELDS));
        Map<String, Object> logs = text.resources("AWS::Logs::LogGroup").get("ApiLogs");
        assertThat(logs).containsEntry("Condition", "LogsAccess");
        assertThat(String.valueOf(at(logs, "Properties", "LogGroupName", "Fn::Sub")))
                .startsWith("/aws/vendedlogs/${AWS::StackName}");
    }

    @Test
    void a_custom_domain_is_added_where_it_has_a_certificate() {
        for (String logicalId : List.of("Domain", "DomainMapping")) {
            assertThat(text.resources().get(logicalId)).containsEntry("Condition", "HasDomain");
        }
        assertThat(text.resources().get("DomainRecords")).containsEntry("Condition", "HasZone");
        for (String condition : List.of("HasDomain", "HasZone")) {
            assertThat(list(at(text.condition(condition), "Fn::And"))
                            .contains(Map.of("Fn::Equals", List.of(Map.of("Ref", "OriginSecretSha256"), ""))))
                    .as(condition
                            + ": the name of a proxy is no name of the API, also where a certificate is still given")
                    .isTrue();
        }
        assertThat(text.parameters())
                .containsKeys("DomainName", "CertificateArn", "HostedZoneId")
                .allSatisfy((name, parameter) -> assertThat(name.equals("AdminKeySha256"))
                        .as(name + " has a default unless only the operator has the value")
                        .isNotEqualTo(map(parameter).containsKey("Default")));
    }

    @Test
    void the_self_check_sends_heartbeats_to_every_address_that_agents_may_use_and_to_no_other() {
        assertThat(selfCheckAddresses(Map.of())).containsExactly(API);
        assertThat(selfCheckAddresses(DOMAIN)).containsExactly("https://agents.example.com", API);
        assertThat(selfCheckAddresses(with(DOMAIN, "DefaultEndpoint", "disabled")))
                .containsExactly("https://agents.example.com");
        assertThat(selfCheckAddresses(Map.of("DomainName", "agents.example.com", "OriginSecretSha256", "0".repeat(64))))
                .as("requests around the proxy are refused")
                .containsExactly("https://agents.example.com");
        assertThat(selfCheckAddresses(Map.of("HeartbeatFunctionUrl", "true")))
                .hasSize(2)
                .startsWith(API);
        assertThat(selfCheckAddresses(Map.of("HeartbeatFunctionUrl", "https://heartbeats.example.com")))
                .as("containers that serve the function")
                .containsExactly(API, "https://heartbeats.example.com");
        assertThat(selfCheckAddresses(Map.of(
                        "HeartbeatFunctionUrl",
                        "true",
                        "DomainName",
                        "agents.example.com",
                        "OriginSecretSha256",
                        "0".repeat(64))))
                .as("a function URL would be a way around the proxy")
                .containsExactly("https://agents.example.com");
    }

    @Test
    void every_function_behind_the_api_refuses_requests_without_the_proxy_s_secret() {
        Resolution proxied =
                resolution(Map.of("DomainName", "agents.example.com", "OriginSecretSha256", "0".repeat(64)));
        for (FunctionDefinition function : text.stack(proxied).functions()) {
            assertThat(function.environment().get("ORIGIN_SECRET_SHA256"))
                    .as(function.logicalId())
                    .isEqualTo(function.routes().isEmpty() ? null : "0".repeat(64));
        }
        assertThat(at(text.parameters(), "OriginSecretSha256", "NoEcho")).isEqualTo(true);
        assertThat(text.stack().functions())
                .filteredOn(function -> !function.routes().isEmpty())
                .allSatisfy(function -> assertThat(function.environment()).doesNotContainKey("ORIGIN_SECRET_SHA256"));
    }

    @Test
    void the_default_endpoint_can_be_disabled_where_the_api_has_another_name() {
        assertThat(ProjectFiles.text("deploy/api.yaml"))
                .contains("disableExecuteApiEndpoint: { \"Fn::If\": [DisablesDefaultEndpoint, true, false] }");
        assertThat(at(text.parameters(), "DefaultEndpoint", "Default")).isEqualTo("enabled");
        assertThat(References.in(at(text.rules(), "DisabledEndpointHasDomain", "Assertions")))
                .as("a proxy calls the default endpoint")
                .containsExactlyInAnyOrder("DomainName", "CertificateArn", "OriginSecretSha256");
    }

    @Test
    void a_batch_of_heartbeats_has_a_throttle_of_its_own() {
        Map<String, Object> settings = map(api, "RouteSettings");
        for (Object rate : list(at(settings.get("POST /api/v1/heartbeats"), "ThrottlingRateLimit", "Fn::If"))
                .subList(1, 3)) {
            assertThat((Long) rate).as("a batch has up to 100 heartbeats").isLessThanOrEqualTo(1_000);
        }
    }

    private List<String> selfCheckAddresses(Map<String, String> parameters) {
        Map<String, String> environment = text.stack(resolution(parameters)).functions().stream()
                .filter(function -> function.logicalId().equals("SweepFunction"))
                .findFirst()
                .orElseThrow()
                .environment();
        return Stream.of("PUBLIC_URL", "DEFAULT_URL", "HEARTBEAT_URL")
                .map(environment::get)
                .filter(Objects::nonNull)
                .toList();
    }

    private static Resolution resolution(Map<String, String> parameters) {
        Resolution resolution = Resolution.local()
                .withParameter("AdminKeySha256", "0".repeat(64))
                .withAttribute("HttpApi", "ApiEndpoint", API)
                .withAttribute("HeartbeatUrl", "FunctionUrl", "https://a1b2.lambda-url.us-east-1.on.aws/");
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            resolution = resolution.withParameter(parameter.getKey(), parameter.getValue());
        }
        return resolution;
    }

    private static Map<String, String> with(Map<String, String> parameters, String name, String value) {
        Map<String, String> more = new HashMap<>(parameters);
        more.put(name, value);
        return more;
    }

    @Test
    void every_endpoint_name_and_queue_is_an_output() {
        Set<String> outputs = new HashSet<>();
        text.outputs().forEach((name, output) -> {
            Set<String> references = References.in(at(output, "Value"));
            outputs.addAll(references);
            for (String reference : references) {
                Map<String, Object> resource = text.resources().get(reference.split("\\.")[0]);
                if (resource != null) {
                    assertThat(at(output, "Condition"))
                            .as(name + " exists if its resource exists")
                            .isEqualTo(at(resource, "Condition"));
                }
            }
        });
        assertThat(outputs).contains("HttpApi.ApiEndpoint", "DomainName", "Domain.RegionalDomainName", "Dashboard");
        assertThat(outputs).contains("EventBus", "EventBus.Arn", "EventArchive.Arn", "AlarmTopic");
        assertThat(outputs).containsAll(text.resources("AWS::DynamoDB::Table").keySet());
        assertThat(outputs).containsAll(text.resources("AWS::SQS::Queue").keySet());
    }

    @Test
    void every_parameter_is_in_one_group() {
        List<String> grouped = text.parameterGroups().stream()
                .flatMap(group -> list(at(group, "Parameters")).stream())
                .map(String::valueOf)
                .toList();
        assertThat(grouped)
                .containsExactlyInAnyOrderElementsOf(text.parameters().keySet());
        text.parameters()
                .forEach(
                        (name, parameter) -> assertThat(map(parameter)).as(name).containsKey("Description"));
    }

    @Test
    @Tag("SYS-05")
    void the_bus_archives_its_events_for_a_replay() {
        Map<String, Object> archive = text.properties("AWS::Events::Archive").get("EventArchive");
        assertThat(at(archive, "SourceArn", "Fn::GetAtt")).isEqualTo(List.of("EventBus", "Arn"));
        assertThat(at(archive, "RetentionDays", "Ref")).isEqualTo("RetentionDays");
        assertThat(archive).as("all events are archived").doesNotContainKey("EventPattern");
    }
}
