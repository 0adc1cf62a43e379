package dev.agenthealth.local.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answers of a system, without what differs between two systems that do the same: clocks and chance.
 *
 * <p>A moment, a position in time, and a number that is made of the time something took, becomes a word; only in the fields named here, and only where it has the
 * form of its kind. What is generated is numbered by its kind in the order in which it is first seen: two systems are alike only
 * if the same ids stand in the same places. Everything else stays. Not thread-safe.
 */
final class Likeness {

    private static final Set<String> MOMENTS = Set.of(
            "acquired_at",
            "as_of",
            "at",
            "available_at",
            "computed_at",
            "created_at",
            "starts_at",
            "ends_at",
            "active_until",
            "deadline_at",
            "detected_at",
            "dev.agenthealth.measured_at",
            "drain_deadline",
            "ended_at",
            "expected_at",
            "expires_at",
            "exported_at",
            "finished_at",
            "from",
            "issued_at",
            "last_capability_update",
            "last_heartbeat_at",
            "last_ping_at",
            "last_progress_at",
            "last_seen_at",
            "registered_at",
            "released_at",
            "server_timestamp",
            "set_at",
            "stalled_since",
            "waiting_since",
            "started_at",
            "stopped_at",
            "status_since",
            "timestamp",
            "to",
            "updated_at");

    private static final Set<String> POSITIONS = Set.of("next_token", "resume_token");

    private static final Set<String> MEASURED = Set.of(
            "actual_runtime_ms",
            // The registry's own health is due again after some time.
            "computed",
            "drift_ms",
            "duration_ms",
            "fencing_token",
            "last_latency_ms",
            "latency_ms",
            "latency_p50_ms",
            "longest_lag_ms",
            // Of the passes of a sweep that is repeated, another one may mark an agent.
            "marked",
            "next_heartbeat_in_seconds",
            "no_progress_seconds",
            "none_seconds",
            "stalled_seconds",
            "unknown_seconds",
            "up_seconds",
            "uptime_seconds");

    private static final Pattern PING_URL = Pattern.compile("https?://\\S+/p/\\S+\\.[A-Za-z0-9_-]{32}");
    private static final Pattern MOMENT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z?");
    private static final Pattern ID = Pattern.compile("\\b([a-z]+)_[0-9A-HJKMNP-TV-Z]{26}\\b");
    /** The time in the id of an event about a stop. */
    private static final Pattern STOP_TIME = Pattern.compile("^(stop:.*:(?:begun|lifted):)\\d{13}$");

    /** The age of a figure in the text of Prometheus. */
    private static final Pattern AGE = Pattern.compile("(?m)^(agent_health_[a-z_]+_age_seconds )[0-9.]+$");

    private static final Pattern API_KEY = Pattern.compile("ahk_[\\w-]{43}");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern POSITION = Pattern.compile("[\\w-]{55,}");
    private static final Pattern SIGNATURE = Pattern.compile("[\\w-]{86}");
    private static final Pattern WEAK_TAG = Pattern.compile("W/\"[\\w-]{16}\"");

    private final Map<String, String> generated = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /** The likeness of an answer; a {@code body} that is JSON becomes a tree. */
    JsonNode of(JsonNode answer) {
        return of("", answer);
    }

    private JsonNode of(String field, JsonNode value) {
        if (value instanceof ObjectNode object) {
            ObjectNode like = Json.object();
            object.properties().forEach(member -> like.set(member.getKey(), of(member.getKey(), member.getValue())));
            return like;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode like = array.arrayNode();
            // The system that sweeps a moment later may begin another minute, and with it one more interval.
            int compared = field.equals("intervals") ? Math.min(1, array.size()) : array.size();
            for (int i = 0; i < compared; i++) {
                like.add(of(field, array.get(i)));
            }
            return like;
        }
        if (value.isNumber() && MEASURED.contains(field)) {
            return TextNode.valueOf("<measured>");
        }
        return value.isTextual() ? ofText(field, value.textValue()) : value;
    }

    private JsonNode ofText(String field, String text) {
        if (field.equals("body") && (text.startsWith("{") || text.startsWith("["))) {
            return of("", read(text));
        }
        if (field.equals("body") && text.startsWith("# HELP ")) {
            return TextNode.valueOf(AGE.matcher(text).replaceAll("$1<measured>"));
        }
        if (MOMENTS.contains(field) && MOMENT.matcher(text).matches()) {
            return TextNode.valueOf("<moment>");
        }
        if (field.equals("api_key") && API_KEY.matcher(text).matches()) {
            return TextNode.valueOf(numbered("api_key", text));
        }
        if (field.equals("secret_sha256") && HASH.matcher(text).matches()) {
            return TextNode.valueOf(numbered("hash", text));
        }
        if (field.equals("ping_url") && PING_URL.matcher(text).matches()) {
            return TextNode.valueOf(numbered("ping_url", text));
        }
        if (field.equals("signature") && SIGNATURE.matcher(text).matches()) {
            return TextNode.valueOf("<signature>");
        }
        if (POSITIONS.contains(field) && POSITION.matcher(text).matches()) {
            return TextNode.valueOf("<position>");
        }
        if (field.equals("ETag") && WEAK_TAG.matcher(text).matches()) {
            return TextNode.valueOf(numbered("tag", text));
        }
        return TextNode.valueOf(
                ID.matcher(STOP_TIME.matcher(text).replaceAll("$1")).replaceAll(this::id));
    }

    private String id(MatchResult id) {
        return Matcher.quoteReplacement(numbered(id.group(1), id.group()));
    }

    private String numbered(String kind, String value) {
        return generated.computeIfAbsent(value, unseen -> kind + "#" + counts.merge(kind, 1, Integer::sum));
    }

    private static JsonNode read(String json) {
        try {
            return Json.read(json);
        } catch (IOException e) {
            throw new UncheckedIOException("not JSON: " + json, e);
        }
    }
}
