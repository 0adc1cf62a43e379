package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares the versions of the agents of a role. */
@Command(
        name = VersionsCommand.NAME,
        mixinStandardHelpOptions = true,
        description = "Compares the executions of the versions of a role, the newest version first.")
final class VersionsCommand implements Callable<Integer> {

    static final String NAME = "versions";

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Parameters(paramLabel = "ROLE", description = "the role")
    private String roleId;

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            defaultValue = "7",
            description = "the last days, from 1 to 30; 7 by default")
    private int days;

    @Mixin
    private ListOptions output;

    VersionsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Listing listing = new Listing(terminal, "versions")
                .field("version", "agent_version")
                .field("executions", "executions")
                .column(
                        "success",
                        version -> percent(version.path("success_rate")),
                        version -> number(version.path("success_rate")))
                .column(
                        "95 % interval",
                        VersionsCommand::interval, version -> number(version.at("/success_interval/low")))
                .column("median ms", version -> number(version.path("latency_p50_ms")))
                .column("p99 ms", version -> number(version.path("latency_p99_ms")))
                .column("tokens", version -> number(version.path("tokens_per_execution")))
                .column("score", version -> number(version.path("score")))
                .column("worse than", VersionsCommand::worse)
                .wide("first seen", version -> version.path("first_seen").asText())
                .wide("last seen", version -> version.path("last_seen").asText())
                .check(output);
        return registry.call(
                terminal,
                "viewer, coordinator or administrator",
                client -> listing.print(
                        output,
                        client.list(
                                "/api/v1/pools/" + Segment.of(roleId) + "/versions",
                                Map.of("days", Integer.toString(days)),
                                "versions"),
                        "no version of this role has an execution"));
    }

    private static String percent(JsonNode share) {
        return share.isNumber() ? String.format(Locale.ROOT, "%.1f %%", 100 * share.asDouble()) : "-";
    }

    private static String interval(JsonNode version) {
        JsonNode interval = version.path("success_interval");
        return percent(interval.path("low")) + " to " + percent(interval.path("high"));
    }

    private static String number(JsonNode number) {
        return number.isNumber() ? number.asText() : "-";
    }

    private static String worse(JsonNode version) {
        String findings = StreamSupport.stream(version.path("findings").spliterator(), false)
                .map(finding -> Text.plain(finding.asText()))
                .collect(Collectors.joining(", "));
        return findings.isEmpty()
                ? ""
                : Text.plain(version.path("compared_with").asText()) + ": " + findings;
    }
}
