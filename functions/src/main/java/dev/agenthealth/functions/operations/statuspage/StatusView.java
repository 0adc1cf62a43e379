package dev.agenthealth.functions.operations.statuspage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.statuspage.StatusPageText;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.status.IncidentState;
import dev.agenthealth.model.operations.status.StatusIncident;
import dev.agenthealth.model.operations.status.StatusPage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The status page as outsiders see it: one document without scripts. It has labels only, and neither ids nor reasons. */
record StatusView(StatusPage page, List<StatusLine> lines, Instant now) {

    private static final String STYLE =
            """
            :root{--bg:#f7f8fa;--card:#fff;--line:#e4e7ec;--text:#101828;--dim:#576174;--up:#067647;--degraded:#b54708;--down:#b42318;--maintenance:#175cd3;--unknown:#98a2b3;color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
            @media(prefers-color-scheme:dark){:root{--bg:#0c111d;--card:#161b26;--line:#2a3140;--text:#f0f2f5;--dim:#a3adbd;--up:#47cd89;--degraded:#fdb022;--down:#f97066;--maintenance:#84adff;--unknown:#667085}}
            body{margin:0;background:var(--bg);color:var(--text)}main{max-width:820px;margin:0 auto;padding:32px 16px 48px}h1{font-size:24px;margin:0 0 4px}h2{font-size:17px;margin:32px 0 12px}h3{font-size:15px;margin:0}
            p{margin:4px 0;overflow-wrap:anywhere}.dim{color:var(--dim);font-size:14px}.all{padding:14px 16px;border-radius:10px;background:var(--card);border:1px solid var(--line);border-left:5px solid var(--up);margin:20px 0;font-weight:600}
            .all.degraded{border-left-color:var(--degraded)}.all.down{border-left-color:var(--down)}.all.unknown{border-left-color:var(--unknown)}.all.maintenance{border-left-color:var(--maintenance)}
            section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;margin:0 0 12px}.row{display:flex;gap:12px;justify-content:space-between;align-items:baseline}
            .operational{color:var(--up)}b.degraded{color:var(--degraded)}b.down{color:var(--down)}b.maintenance{color:var(--maintenance)}
            svg{display:block;width:100%;height:28px;margin:8px 0 2px}.up{fill:var(--up)}rect.degraded{fill:var(--degraded)}rect.down{fill:var(--down)}rect.maintenance{fill:var(--maintenance)}rect.unknown,.none{fill:var(--unknown)}
            """;

    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'sha256-" + hash(STYLE)
            + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** The words of the headline, the worst first. */
    private static final List<String> WORST = List.of("down", "degraded", "maintenance", "unknown");

    /** Returns the page for programs. */
    ObjectNode json() {
        ObjectNode json = Json.object().put("title", page.title()).put("state", worst());
        ArrayNode entries = json.putArray("entries");
        for (StatusLine line : lines) {
            ObjectNode entry = entries.addObject()
                    .put("name", line.entry().name())
                    .put("label", line.entry().label())
                    .put("state", line.words())
                    .put("availability", line.ratio().orElse(null));
            ArrayNode days = entry.putArray("days");
            line.days().forEach(day -> days.add(day.wireName()));
        }
        ArrayNode incidents = json.putArray("incidents");
        page.incidents().forEach(incident -> incidents.add(StatusPageText.json(incident)));
        return json.put("as_of", Timestamps.text(now));
    }

    String html() {
        String open = incidents(incident -> incident.state() != IncidentState.RESOLVED);
        String past = incidents(incident -> incident.state() == IncidentState.RESOLVED);
        return """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%1$s</title><style>%2$s</style></head>
                <body><main><h1>%1$s</h1><p class="dim">As of %3$s</p><p class="all %4$s">%5$s</p>
                %6$s%7$s
                <h2>Past incidents</h2>%8$s
                </main></body></html>
                """
                .formatted(
                        escaped(page.title()),
                        STYLE,
                        time(now),
                        worst(),
                        headline() + (open.isEmpty() ? "" : ". Operators work on an incident"),
                        open.isEmpty() ? "" : "<h2>Incidents</h2>" + open,
                        lines.stream().map(StatusView::row).collect(Collectors.joining("\n", "<h2>Services</h2>", "")),
                        past.isEmpty() ? "<p class=\"dim\">None.</p>" : past);
    }

    private String worst() {
        return WORST.stream()
                .filter(state -> lines.stream().anyMatch(line -> line.words().equals(state)))
                .findFirst()
                .orElse("operational");
    }

    private String headline() {
        return switch (worst()) {
            case "down" -> "Some services are down";
            case "degraded" -> "Some services are degraded";
            case "maintenance" -> "Some services are in maintenance";
            case "unknown" -> "The state of some services is unknown";
            default -> "All services are operational";
        };
    }

    private static String row(StatusLine line) {
        StringBuilder bars = new StringBuilder();
        for (int day = 0; day < line.days().size(); day++) {
            bars.append("<rect class=\"%s\" x=\"%d\" width=\"7\" height=\"28\"/>"
                    .formatted(line.days().get(day).wireName(), day * 9));
        }
        return """
                <section><div class="row"><h3>%1$s</h3><b class="%2$s">%2$s</b></div>
                <svg viewBox="0 0 808 28" preserveAspectRatio="none" role="img" aria-label="%1$s in the last 90 days: %3$s">%4$s</svg>
                <div class="row dim"><span>90 days ago</span><span>%3$s</span><span>today</span></div></section>"""
                .formatted(
                        escaped(line.entry().label()),
                        line.words(),
                        line.percent().isEmpty() ? "not known" : line.percent() + " available",
                        bars);
    }

    private String incidents(Predicate<StatusIncident> shown) {
        return page.incidents().stream()
                .filter(shown)
                .map(incident -> "<section><h3>%s</h3><p class=\"dim\">%s, %s</p>%s</section>"
                        .formatted(
                                escaped(incident.title()),
                                incident.state().wireName(),
                                time(incident.startedAt())
                                        + incident.resolvedAt()
                                                .map(end -> " to " + time(end))
                                                .orElse(""),
                                paragraphs(incident.text())))
                .collect(Collectors.joining("\n"));
    }

    private static String paragraphs(String text) {
        return text.lines().map(line -> "<p>" + escaped(line) + "</p>").collect(Collectors.joining());
    }

    private static String time(Instant at) {
        return TIME.format(at);
    }

    /** Returns a text that is safe in elements and attributes of HTML and SVG. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String hash(String style) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
