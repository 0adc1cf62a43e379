package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.VerdictReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/statuses.md} has every reason of a verdict. */
class DocumentedReasonsTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| `(\\w+)` \\|");

    @Test
    void every_reason_stands_beside_its_verdict() throws IOException {
        Map<String, String> documented = new LinkedHashMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "reference", "statuses.md")));
        while (row.find()) {
            documented.put(row.group(1), row.group(2));
        }
        Map<String, String> declared = new LinkedHashMap<>();
        // Of two reasons with one name, the later is the milder.
        for (VerdictReason reason : List.of(VerdictReason.values())) {
            declared.put(reason.wireName(), reason.verdict().wireName());
        }
        assertThat(documented).isEqualTo(declared);
    }
}
