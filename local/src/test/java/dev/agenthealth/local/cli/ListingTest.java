package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The order of the rows of a list. */
class ListingTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource({"score, b a c d", "-score, a b c d", "seen, c a b d", "-seen, b a c d"})
    void rows_without_a_value_come_last_in_both_directions(String sort, String names) throws IOException {
        ListOptions options = new ListOptions();
        new CommandLine(options).parseArgs("--sort=" + sort);
        Listing listing = new Listing(null, "agents")
                .field("name", "name")
                .column("score", row -> Text.number(row.path("score")))
                .column("seen", row -> Text.ago(row.path("at").asText(), Instant.now()), row -> row.path("at")
                        .asText(""));
        List<JsonNode> rows = List.of(
                Json.read("{\"name\":\"c\",\"at\":\"2026-02-08T08:00:00Z\",\"score\":null}"),
                Json.read("{\"name\":\"d\",\"score\":null}"),
                Json.read("{\"name\":\"a\",\"at\":\"2026-02-08T09:00:00Z\",\"score\":97.5}"),
                Json.read("{\"name\":\"b\",\"at\":\"2026-02-08T10:00:00Z\",\"score\":9}"));
        Stream<String> ordered = listing.ordered(options, rows.stream())
                .map(row -> row.path("name").asText());
        assertThat(String.join(" ", ordered.toList())).isEqualTo(names);
    }
}
