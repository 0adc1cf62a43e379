package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.registry.profile.ResponseTimes;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.registry.profile.WatchKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/** Reads and shows how the registry watches an agent. Records errors on the fields. */
final class WatchFields {

    static final String WATCH = "watch";
    static final String LAST_PROBE = "last_probe";
    static final String SIGNATURE = "signature";

    private static final int MAX_URL = 2_048;

    private WatchFields() {}

    /** Returns the change of a watch: absent fields stay, null sets the default. */
    static UnaryOperator<Watch> read(Fields fields) {
        Optional<WatchKind> by = fields.oneOf("by", WatchKind.values(), WatchKind::wireName);
        String url = url(fields);
        OptionalInt interval = fields.integer("interval_seconds", 1, Watch.MAX_INTERVAL_SECONDS);
        OptionalInt timeout = fields.integer("timeout_seconds", 1, Watch.MAX_TIMEOUT_SECONDS);
        Fields expect = fields.object("expect");
        List<Integer> statuses = expect.integers("statuses", Watch.MAX_STATUSES, 200, 599);
        String contains = expect.text("contains", Watch.MAX_CONTAINS);
        expect.refuseUnknown();
        fields.refuseUnknown();
        return before -> {
            Watch watch = new Watch(
                    fields.mentions("by") || !before.isWatched() ? by.orElse(WatchKind.HTTP) : before.by(),
                    fields.mentions("url") ? url : before.url(),
                    changed(
                            fields,
                            "interval_seconds",
                            interval,
                            before.intervalSeconds(),
                            Watch.DEFAULT_INTERVAL_SECONDS),
                    changed(fields, "timeout_seconds", timeout, before.timeoutSeconds(), Watch.DEFAULT_TIMEOUT_SECONDS),
                    expect.mentions("statuses") ? statuses : before.statuses(),
                    expect.mentions("contains") ? contains : before.contains());
            if (watch.by() != WatchKind.HTTP
                    && (!watch.statuses().isEmpty() || !watch.contains().isEmpty())) {
                fields.refuse("expect", "is for watches by http only");
            }
            if (watch.timeoutSeconds() >= watch.intervalSeconds()) {
                fields.refuse("timeout_seconds", "must be below interval_seconds (" + watch.intervalSeconds() + ")");
            }
            return watch;
        };
    }

    private static int changed(Fields fields, String name, OptionalInt given, int before, int otherwise) {
        return fields.mentions(name) || before == 0 ? given.orElse(otherwise) : before;
    }

    private static String url(Fields fields) {
        String url = fields.text("url", MAX_URL);
        if (!url.isEmpty() && Endpoint.of(url).isEmpty()) {
            fields.refuse("url", "must be an absolute http or https URL without credentials and fragment");
        }
        return url;
    }

    /** Puts a watch; nothing for an agent that is not watched. */
    static void put(ObjectNode json, Watch watch) {
        if (!watch.isWatched()) {
            return;
        }
        ObjectNode shown = json.putObject(WATCH).put("by", watch.by().wireName());
        shown.put("url", watch.url().isEmpty() ? null : watch.url());
        shown.put("interval_seconds", watch.intervalSeconds());
        shown.put("timeout_seconds", watch.timeoutSeconds());
        ObjectNode expect = shown.putObject("expect");
        watch.statuses().forEach(expect.putArray("statuses")::add);
        expect.put("contains", watch.contains().isEmpty() ? null : watch.contains());
    }

    /** Puts the results of an agent's probes: the validity of its card's signatures, and the last finished probe. */
    static void put(ObjectNode json, ProbeState found, Instant now) {
        json.put(SIGNATURE, found.signature().map(WireNamed::wireName).orElse(null));
        if (!found.isKnown()) {
            return;
        }
        ObjectNode shown = json.putObject(LAST_PROBE)
                .put("at", Timestamps.text(found.at()))
                .put("failure", found.isFailing() ? found.failure() : null)
                .put("since", Timestamps.text(found.since()))
                .put("response_ms", found.millis())
                .put("declared", found.declared().isEmpty() ? null : found.declared());
        shown.put("declaration_read", !found.declaration().isEmpty());
        shown.put(
                "certificate_ends_at",
                found.certificateEnds().isAfter(Instant.EPOCH) ? Timestamps.text(found.certificateEnds()) : null);
        shown.set(
                "response_ms_last_day",
                found.responses().lastDay(now).<JsonNode>map(WatchFields::json).orElseGet(NullNode::getInstance));
    }

    private static ObjectNode json(ResponseTimes.Range range) {
        return Json.object().put("mean", range.mean()).put("min", range.min()).put("max", range.max());
    }
}
