package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.GeneratedText;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The manual page of the archive, which {@code -Dwrite} writes anew. */
@Tag(GeneratedText.TAG)
class ManualTest {

    @Test
    void the_manual_page_has_all_commands_and_options() {
        CommandTree program =
                CommandTree.of(new CommandLineTool(new Terminal(Map.of(), System.out, System.err, false)).line());
        String page = new Manual(program, "0.1.0").page();
        assertThat(page).contains(".SS agent\\-health keys create", "\\-\\-role\\-id", ".SH EXIT STATUS");
        GeneratedText.of("local/src/dist/man/agent-health.1").check(page);
    }
}
