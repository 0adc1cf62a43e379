package dev.agenthealth.model.registry.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which span is a whole execution of an agent, and what the agent is called. Recorded spans of each framework are compared elsewhere. */
class SpanConventionTest {

    /** A span with these attributes, such as {@code "gen_ai.operation.name=invoke_agent; gen_ai.agent.name=A"}. */
    private static Span span(String name, String scope, String attributes) {
        Map<SpanAttribute, String> map = Arrays.stream(attributes.split(";"))
                .map(attribute -> attribute.trim().split("=", 2))
                .filter(attribute -> attribute.length == 2)
                .collect(Collectors.toMap(
                        attribute -> SpanAttribute.ofKey(attribute[0]).orElseThrow(),
                        attribute -> attribute[1],
                        (one, other) -> other,
                        HashMap::new));
        return new Span(
                Spans.key(1),
                "",
                name,
                scope,
                Spans.START,
                Spans.START + 1,
                0,
                map,
                Map.of(SpanAttribute.SERVICE_NAME, "shop"));
    }

    @ParameterizedTest(name = "{0}, {1}, {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "run | x | | false | -",
                "run | x | openinference.span.kind=AGENT; agent.name=A | true | A",
                "run | x | openinference.span.kind=agent; agent.name=A; gen_ai.agent.name=B | true | A",
                "run | x | openinference.span.kind=AGENT; gen_ai.agent.name=B | true | B",
                "Planner.run | x | openinference.span.kind=AGENT | true | Planner",
                "Planner._execute_core | x | openinference.span.kind=AGENT | true | Planner",
                "Planner | x | openinference.span.kind=LLM | true | -",
                "Planner | x | openinference.span.kind=CHAIN; metadata={\"langgraph\"} | true | Planner",
                "Planner | x | openinference.span.kind=CHAIN; metadata={\"langchain_create_agent\"} | true | Planner",
                "Planner | x | openinference.span.kind=CHAIN; metadata={\"langgraph\",\"langgraph_step\"} | true | -",
                "MyAgent.run | openinference.instrumentation.llama_index | openinference.span.kind=CHAIN | true | MyAgent",
                "AgentWorkflow.run | openinference.instrumentation.llama_index | openinference.span.kind=CHAIN | true | AgentWorkflow",
                "Other.run | openinference.instrumentation.llama_index | openinference.span.kind=CHAIN | true | -",
                "MyAgent.run | x | openinference.span.kind=CHAIN | true | -",
                "Planner.agent | x | traceloop.span.kind=agent | true | Planner",
                "Planner.workflow | x | traceloop.span.kind=workflow | true | Planner",
                "Planner.task | x | traceloop.span.kind=task | true | -",
                "a | x | traceloop.span.kind=agent; traceloop.entity.name=E; traceloop.workflow.name=W | true | E",
                "a | x | traceloop.span.kind=agent; traceloop.workflow.name=W | true | W",
                "a | @traceloop/instrumentation-langchain | traceloop.span.kind=workflow; traceloop.workflow.name=RunnableLambda | true | -",
                "a | @traceloop/instrumentation-langchain | traceloop.span.kind=workflow; traceloop.workflow.name=W | true | W",
                "a | x | traceloop.span.kind=workflow; traceloop.workflow.name=RunnableLambda | true | RunnableLambda",
                "crew | opentelemetry.instrumentation.crewai.x | gen_ai.operation.name=invoke_agent | true | -",
                "chain | x | langsmith.span.kind=chain | true | chain",
                "chain | x | langsmith.span.kind=chain; langsmith.span.parent_id=1 | true | -",
                "chain | x | langsmith.span.kind=llm | true | -",
                "a | x | ai.operationId=ai.generateText; ai.telemetry.functionId=F | true | F",
                "a | x | ai.operationId=ai.generateText | true | -",
                "a | x | ai.operationId=ai.generateText.doGenerate; ai.telemetry.functionId=F | true | -",
                "flow | x | genkit:metadata:subtype=flow; genkit:name=G | true | G",
                "flow | x | genkit:metadata:subtype=flow | true | flow",
                "flow | x | genkit:metadata:subtype=tool; genkit:name=G | true | -",
                "v | @voltagent/core | entity.type=agent; agent.state=done; entity.name=V | true | V",
                "v | @voltagent/core | entity.type=agent; agent.state=done | true | v",
                "v | @voltagent/core | entity.type=agent | true | -",
                "v | @voltagent/core | entity.type=tool; agent.state=done | true | -",
                "v | x | entity.type=agent; agent.state=done | false | -",
                "v | @voltagent/core | entity.name=V | false | -",
                "invoke_agent A | x | gen_ai.operation.name=invoke_agent; gen_ai.agent.name=B | true | B",
                "invoke_agent A | x | gen_ai.operation.name=invoke_agent | true | A",
                "invoke_agent m | x | gen_ai.operation.name=invoke_agent; gen_ai.request.model=m | true | ''",
                "other | x | gen_ai.operation.name=invoke_agent | true | ''",
                "invoke_agent A | x | gen_ai.operation.name=invoke_agent; gen_ai.agent.source=S | true | -",
                "invoke_workflow W | x | gen_ai.operation.name=invoke_workflow | true | W",
                "w | x | gen_ai.operation.name=invoke_workflow; gen_ai.workflow.name=N | true | N",
                "chat m | x | gen_ai.operation.name=chat | true | -"
            })
    void each_convention_has_spans_of_whole_executions(
            String name, String scope, String attributes, boolean ofAgent, String agent) {
        Span span = span(name, scope, attributes == null ? "" : attributes);
        assertThat(SpanConvention.isOfAgent(span)).isEqualTo(ofAgent);
        assertThat(SpanConvention.agentOf(span).orElse("-")).isEqualTo(agent);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "chat m | gen_ai.operation.name=chat; gen_ai.agent.name=A | 1 | A | -",
                "chat m | gen_ai.operation.name=chat; agent.name=A | 1 | A | -",
                "chat m | gen_ai.operation.name=chat | 1 | '' | -",
                "invoke_agent A | gen_ai.operation.name=invoke_agent | 1 | A | -",
                "invoke_agent A | gen_ai.operation.name=invoke_agent | 0 | - | -",
                "x | | 1 | - | -",
                "chat | gen_ai.operation.name=chat; agent_health.agent_id=a1; agent_health.progress=true | 1 | '' | a1",
                "chat | gen_ai.operation.name=chat; agent_health.agent_id=a1; agent_health.progress=false | 1 | - | -",
                "chat | gen_ai.operation.name=chat; agent_health.agent_id=a1 | 1 | - | -",
                "chat | gen_ai.operation.name=chat; agent_health.agent_id=a 1; agent_health.progress=true | 1 | - | -"
            })
    void a_span_of_an_agent_that_ended_may_be_a_step(
            String name, String attributes, int ended, String agent, String agentId) {
        Span whole = span(name, "x", attributes == null ? "" : attributes);
        Span span = Spans.timed(whole, Spans.START, ended == 0 ? 0 : Spans.START + 1_000_000, 0);
        assertThat(SpanStep.of(span).map(step -> step.name().agent()).orElse("-"))
                .isEqualTo(agent);
        SpanStep.of(span).ifPresent(step -> {
            assertThat(step.agentId()).isEqualTo(agentId.equals("-") ? "" : agentId);
            assertThat(step.name().service()).isEqualTo("shop");
            assertThat(step.endedAt()).isEqualTo(span.endedAt());
        });
    }
}
