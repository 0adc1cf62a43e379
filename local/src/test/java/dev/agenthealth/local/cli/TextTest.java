package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How texts of others are shown on a terminal. */
class TextTest {

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, '\n', 0x1b, 0x7f, 0x80, 0x9b, 0xad, 0x200b, 0x2028, 0x2029, 0x202e, 0x2066, 0xd800, 0xe000,
                0xfeff, 0xe0041
            })
    void a_character_that_controls_a_terminal_or_is_not_seen_is_a_question_mark(int character) {
        assertThat(Text.plain("a" + Character.toString(character) + "b")).isEqualTo("a?b");
    }

    @Test
    void letters_and_signs_of_every_language_are_shown() {
        String text = "Zoë, שלום, 東京 – 😀";
        assertThat(Text.plain(text)).isEqualTo(text);
    }

    @Test
    void nothing_of_a_sync_reaches_the_terminal_raw() throws IOException {
        String raw = "\u009b\u202e";
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        String change = "{'action':'@','agent_id':'@','identifier':'@','reason':'@'}";
        SyncText.print(
                Json.read(("{'name':'@','changes':[" + change + "],'conflicts':[" + change + "],'skipped':[" + change
                                + "],'errors':['@'],'counts':{'@':1,'skipped':3}}")
                        .replace('\'', '"')
                        .replace("@", raw)),
                new Terminal(Map.of(), print, print, false));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("error: ??", "??: 1 ??", "skipped: ?? ??", "skipped: 2 more")
                .doesNotContain("\u009b", "\u202e");
    }
}
