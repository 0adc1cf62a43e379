package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts are run by the shells themselves. */
class CompletionTest {

    @TempDir
    private Path folder;

    private String script(String shell) {
        CommandRun run = CommandRun.of(Map.of(), "completion", shell);
        assertThat(run.status()).isZero();
        return run.out();
    }

    private String run(String shell, String program) throws IOException, InterruptedException {
        assumeTrue(isInstalled(shell), shell + " is not installed");
        Path file = Files.writeString(folder.resolve("program"), program);
        Process process = new ProcessBuilder(List.of(shell, file.toString()))
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return out;
    }

    private static boolean isInstalled(String shell) {
        for (String place : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(place, shell))) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @CsvSource({
        "agent-health sta, status status-page",
        "agent-health status-page inci, incident incidents",
        "agent-health configuration ex, export",
        "agent-health keys cr, create",
        "agent-health keys create --ro, '--role --role-id'",
        "agent-health keys create --role vi, viewer",
        "agent-health agents --so, --sort",
        "agent-health agents -o j, json"
    })
    void bash_completes_commands_options_and_values(String line, String expected) throws Exception {
        String[] words = line.split(" ");
        String program = script("bash") + "COMP_WORDS=(" + String.join(" ", words) + ")\nCOMP_CWORD="
                + (words.length - 1) + "\n_agent_health\necho \"${COMPREPLY[@]}\"\n";
        assertThat(run("bash", program).strip()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "agent-health sta, status status-page",
        "agent-health configuration ex, export",
        "agent-health keys cr, create",
        "agent-health keys create --ro, --role --role-id",
        "agent-health agents --so, --sort",
        "agent-health agents -o j, json"
    })
    void fish_completes_commands_options_and_values(String line, String expected) throws Exception {
        String out = run("fish", script("fish") + "complete -C '" + line + "'\n");
        assertThat(out.lines().map(found -> found.split("\t")[0]).sorted().toList())
                .isEqualTo(List.of(expected.split(" ")));
    }

    /** Types a line and a tab into an interactive zsh, and reads the line that zsh makes of it. */
    @ParameterizedTest
    @CsvSource({
        "agent-health configuration ex, agent-health configuration export",
        "agent-health keys cr, agent-health keys create",
        "agent-health stat, agent-health status",
        "agent-health status-page inci, agent-health status-page incident",
        "agent-health agents --so, agent-health agents --sort",
        "agent-health keys create --ro, agent-health keys create --role",
        "agent-health agents -o j, agent-health agents -o json"
    })
    void zsh_completes_commands_options_and_values(String line, String expected) throws Exception {
        Path script = Files.writeString(folder.resolve("completion.zsh"), script("zsh"));
        String program =
                """
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell 'PROMPT=; autoload -Uz compinit; compinit -u -D; source %s; show() { print -r -- "<<$BUFFER>>" }; zle -N show; bindkey "^X" show; print READY$((1+1))'
                zpty -r shell out '*READY2*'
                zpty -w -n shell '%s'$'\\t\\x18'
                zpty -r shell out '*<<*>>*'
                print -r -- "$out"
                zpty -d shell
                """
                        .formatted(script, line);
        String shown = run("zsh", program);
        assertThat(shown.substring(shown.lastIndexOf("<<"))).startsWith("<<" + expected);
    }

    @Test
    void zsh_reads_its_script() throws Exception {
        String program = "autoload -Uz compinit && compinit -u -D\n" + script("zsh") + "echo ${_comps[agent-health]}\n";
        assertThat(run("zsh", program).strip()).isEqualTo("_agent_health");
    }
}
