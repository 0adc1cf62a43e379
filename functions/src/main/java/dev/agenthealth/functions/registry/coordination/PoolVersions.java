package dev.agenthealth.functions.registry.coordination;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Decimals;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.usage.VersionStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.functions.storage.workflows.WorseVersionStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.version.AgentVersion;
import dev.agenthealth.model.registry.version.VersionFigures;
import dev.agenthealth.model.registry.version.VersionRule;
import dev.agenthealth.model.registry.version.VersionSums;
import dev.agenthealth.model.registry.version.WilsonInterval;
import dev.agenthealth.model.registry.version.WorseVersion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compares the versions of the agents of a pool. Thread-safe. */
final class PoolVersions {

    /** The maximum number of versions in an answer: the newest. */
    static final int MAX_VERSIONS = 50;

    private static final int SHARE_DECIMALS = 4;

    private final VersionStore versions;
    private final WorseVersionStore worse;
    private final GroupStore groups;
    private final PoolStore pools;
    private final Clock clock;

    PoolVersions(Database database, Clock clock) {
        this.versions = new VersionStore(database);
        this.worse = new WorseVersionStore(database);
        this.groups = new GroupStore(database);
        this.pools = new PoolStore(database);
        this.clock = clock;
    }

    /**
     * {@code GET /api/v1/pools/{role_id}/versions}: the figures of each version, the newest first.
     *
     * @throws ApiError 403 for a coordinator of other roles; 404 for a role that has no members and no versions and is not declared
     */
    ApiResponse get(ApiRequest request) {
        String roleId = request.pathId("role_id");
        if (!request.caller().maySeeRole(roleId)) {
            throw ApiError.forbidden("This key may not read the pool of role '" + roleId + "'.");
        }
        Fields query = request.queryFields();
        int days = query.integer("days", 1, VersionStore.MAX_DAYS).orElse(VersionStore.DAYS);
        query.check();
        Instant now = clock.instant();
        List<VersionFigures> figures = versions.figures(roleId, days, now);
        if (figures.isEmpty()
                && pools.members(roleId, 1).isEmpty()
                && !groups.role(roleId).declared()) {
            throw ApiError.notFound(
                    "pool_not_found", "No agent has the role '" + roleId + "', and no workflow declares it.");
        }
        Map<String, WorseVersion> open =
                worse.ofRole(roleId).stream().collect(Collectors.toMap(WorseVersion::version, problem -> problem));
        List<VersionFigures> inOrder = VersionRule.inOrder(figures);
        List<VersionFigures> newest = new ArrayList<>(inOrder);
        Collections.reverse(newest);
        figures.stream()
                .filter(version -> version.version().equals(AgentVersion.OTHER))
                .forEach(newest::add);
        ObjectNode json = Json.object().put("role_id", roleId).put("days", days);
        ArrayNode list = json.putArray("versions");
        newest.stream().limit(MAX_VERSIONS).forEach(version -> {
            Optional<VersionFigures> before =
                    inOrder.contains(version) ? VersionRule.before(inOrder, version) : Optional.empty();
            put(list.addObject(), version, before, Optional.ofNullable(open.get(version.version())), now);
        });
        json.put("truncated", newest.size() > MAX_VERSIONS);
        return ApiResponse.json(200, json);
    }

    private static void put(
            ObjectNode json,
            VersionFigures version,
            Optional<VersionFigures> before,
            Optional<WorseVersion> problem,
            Instant now) {
        VersionSums sums = version.sums();
        json.put("agent_version", version.version())
                .put("first_seen", Timestamps.text(version.firstSeen()))
                .put("last_seen", Timestamps.text(version.lastSeen()))
                .put("executions", sums.executions())
                .put("successes", sums.successes());
        json.put(
                "success_rate",
                sums.executions() == 0 ? null : Decimals.rounded(version.successRate(), SHARE_DECIMALS));
        WilsonInterval interval = version.interval();
        json.putObject("success_interval")
                .put("low", Decimals.rounded(interval.low(), SHARE_DECIMALS))
                .put("high", Decimals.rounded(interval.high(), SHARE_DECIMALS));
        boolean timed = sums.latencies().total() > 0;
        json.put("latency_p50_ms", timed ? Decimals.rounded(Math.min(version.medianMs(), version.p99Ms()), 1) : null);
        json.put("latency_p99_ms", timed ? Decimals.rounded(version.p99Ms(), 1) : null);
        boolean used = sums.tokensThatCount().tokens() > 0;
        json.put("tokens_per_execution", used ? Decimals.rounded(version.tokensPerExecution(), 0) : null);
        HealthScore score = score(version, now);
        json.put("score", score.active() ? score.points() : null);
        json.put("compared_with", before.map(VersionFigures::version).orElse(null));
        ArrayNode findings = json.putArray("findings");
        before.ifPresent(earlier -> VersionRule.findings(version, earlier).stream()
                .sorted()
                .forEach(finding -> findings.add(finding.wireName())));
        json.put(
                "worse_since",
                problem.map(open -> Timestamps.text(open.since())).orElse(null));
    }

    /** Returns the score of the executions of a version, by the expectations of an agent that declares none. */
    private static HealthScore score(VersionFigures version, Instant now) {
        OutcomeCounts counts = OutcomeCounts.of(
                Map.of(
                        OutcomeCounter.SELF_SUCCESSES, version.sums().successes(),
                        OutcomeCounter.SELF_FAILURES, version.sums().failures()),
                version.sums().latencies());
        return HealthScore.of(
                Expectations.NONE,
                counts,
                Math.max(1, Duration.between(version.firstSeen(), now).toHours()));
    }
}
