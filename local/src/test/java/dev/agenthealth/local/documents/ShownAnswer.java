package dev.agenthealth.local.documents;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An answer as a document shows it: moments, generated ids, long numbers and measured times stand for any other, and {@code …} for any text. */
final class ShownAnswer {

    private static final String MOMENT = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z?";
    private static final String NUMBER = "-?\\d+(?:\\.\\d+)?(?:E-?\\d+)?";
    private static final List<String> ANY = List.of(
            MOMENT,
            "[a-z]+_[0-9A-HJKMNP-TV-Z]{26}",
            "ahk_[\\w-]{20,}",
            "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            "(?<=W/\")[\\w-]+",
            "\\d+\\.\\d+",
            "\\d{4,}",
            "(?<=(?:_ms|uptime_seconds|next_heartbeat_in_seconds)\":)" + NUMBER);
    private static final Pattern VARIABLE = Pattern.compile("(…)|" + String.join("|", marked()));

    private ShownAnswer() {}

    private static List<String> marked() {
        return ANY.stream().map(any -> "(" + any + ")").toList();
    }

    /** True when what was printed contains what is shown; white space, and the order of headers, do not count. */
    static boolean matches(String shown, String printed) {
        if (!shown.startsWith("HTTP/")) {
            return pattern(shown).matcher(squeezed(printed)).find();
        }
        String[] parts = shown.split("\n\n", 2);
        boolean head = parts[0].lines()
                .allMatch(header -> Pattern.compile(pattern(header).pattern(), Pattern.CASE_INSENSITIVE)
                        .matcher(squeezed(printed))
                        .find());
        return head
                && (parts.length == 1
                        || pattern(parts[1]).matcher(squeezed(printed)).find());
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }

    private static Pattern pattern(String shown) {
        String text = squeezed(shown);
        StringBuilder pattern = new StringBuilder();
        Matcher variable = VARIABLE.matcher(text);
        int from = 0;
        while (variable.find()) {
            pattern.append(Pattern.quote(text.substring(from, variable.start())));
            pattern.append(variable.group(1) != null ? ".*?" : anyLike(variable));
            from = variable.end();
        }
        return Pattern.compile(
                pattern.append(Pattern.quote(text.substring(from))).toString(), Pattern.DOTALL);
    }

    private static String anyLike(Matcher variable) {
        for (int i = 0; i < ANY.size(); i++) {
            if (variable.group(i + 2) != null) {
                return ANY.get(i).startsWith("\\d+") || ANY.get(i).startsWith("\\d{4,}") ? NUMBER : ANY.get(i);
            }
        }
        throw new IllegalStateException(variable.group());
    }
}
