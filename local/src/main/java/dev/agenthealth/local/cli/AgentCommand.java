package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentRecord;
import dev.agenthealth.client.HealthScore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints one agent. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        description =
                "Prints one agent: its verdict and why, when it was seen and is expected, its work and its score.")
final class AgentCommand implements Callable<Integer> {

    private static final int NAME_WIDTH = 14;

    private final Terminal terminal;
    private final Text text;

    @Mixin
    private RegistryOptions registry;

    @Parameters(paramLabel = "AGENT", description = "id of the agent")
    private String agentId;

    @Mixin
    private OutputOptions output;

    AgentCommand(Terminal terminal) {
        this.terminal = terminal;
        this.text = new Text(terminal);
    }

    @Override
    public Integer call() {
        return registry.call(terminal, "viewer, coordinator or administrator", this::print);
    }

    private int print(AgentHealthClient client) {
        AgentRecord agent = client.agents().get(agentId);
        if (output.isJson()) {
            terminal.out().println(Text.json(agent.json()));
        } else {
            HealthScore health = client.health().score(agentId);
            Optional<JsonNode> refusal = health.verdict().equals("blocked")
                    ? Optional.of(client.trust().agent(agentId).json())
                            .filter(trust -> trust.path("blocked").asBoolean())
                    : Optional.empty();
            print(agent.json(), health, refusal, client.agents().pingAddress(agentId));
        }
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    /** Returns why calls of the agent are refused, in the operator's words. */
    private static String refusal(JsonNode trust, Instant now) {
        String reason = trust.path("block_reason").asText("");
        return (trust.path("stopped").asBoolean()
                        ? "stopped " + Text.ago(trust.path("stopped_at").asText(), now)
                        : "blocked")
                + (reason.isEmpty() || reason.equals("null") ? "" : ": " + CommandLineTool.oneLine(reason));
    }

    private void print(JsonNode agent, HealthScore health, Optional<JsonNode> refusal, Optional<JsonNode> pingAddress) {
        terminal.out().println(text.bold(Text.plain(agentId)) + " " + text.word(health.verdict(), 1));
        Instant now = Instant.now();
        health.reasons().forEach(reason -> terminal.out().println(Text.plain(Text.spoken(reason, now))));
        refusal.ifPresent(trust -> terminal.out().println(Text.plain(refusal(trust, now))));
        JsonNode change = agent.path("declaration").path("change");
        for (String what : new String[] {"added", "removed", "altered"}) {
            change.path(what).forEach(name -> terminal.out()
                    .println("declares something else: " + what + " " + Text.plain(name.asText())));
        }
        terminal.out().println();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("status", agent.path("status").asText() + " for " + Text.since(since(agent), now));
        facts.putAll(new LifeText(agent, now).facts());
        pingAddress.ifPresent(address -> facts.putAll(LifeText.pinged(address, now)));
        facts.put("score", Text.number(health.json().path("score")) + " " + health.state());
        facts.put("kind", agent.path("kind").asText("agent").replace('_', ' '));
        facts.put("role", agent.path("role_id").asText("-"));
        facts.put("provider", agent.path("provider_id").asText("-"));
        facts.put("instance", agent.path("instance").asText("-"));
        facts.put("endpoint", agent.path("endpoint").asText("-"));
        facts.forEach((name, value) -> terminal.out().println(Text.pad(name, NAME_WIDTH) + Text.plain(value)));
    }

    private static Instant since(JsonNode agent) {
        return Instant.parse(agent.path("status_since").asText());
    }
}
