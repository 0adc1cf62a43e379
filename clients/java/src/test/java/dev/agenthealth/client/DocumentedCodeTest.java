package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java code in {@code docs/clients.md} compiles as it stands. */
@Tag("slow")
class DocumentedCodeTest {

    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final List<String> SECTIONS = List.of("Java", "Agents of frameworks");

    private static final String FRAME =
            """
            import dev.agenthealth.client.*;
            import java.util.*;
            import java.util.function.*;

            class Fragment {
                void run(AgentHealthClient registry, ManagedAgent agent, UnaryOperator<String> assistant) throws Exception {
            %s
                }
            }
            """;

    @Test
    void every_block_compiles(@TempDir Path classes) throws IOException {
        List<String> blocks = blocks();
        assertThat(blocks).hasSizeGreaterThanOrEqualTo(5);
        for (String block : blocks) {
            assertThat(errors(block, classes)).as(block).isEmpty();
        }
    }

    private static List<String> blocks() throws IOException {
        List<String> blocks = new ArrayList<>();
        for (String section : Files.readString(page()).split("\n## ")) {
            if (SECTIONS.stream().anyMatch(title -> section.startsWith(title + "\n"))) {
                Matcher block = BLOCK.matcher(section);
                while (block.find()) {
                    blocks.add(block.group(1));
                }
            }
        }
        return blocks;
    }

    private static String errors(String block, Path classes) {
        boolean whole = block.startsWith("import ");
        Matcher name = Pattern.compile("public class (\\w+)").matcher(block);
        String file = whole && name.find() ? name.group(1) : "Fragment";
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///" + file + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return whole ? block : FRAME.formatted(block);
                    }
                };
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter out = new StringWriter();
        List<String> options = List.of(
                "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
        compiler.getTask(out, null, null, options, null, List.of(source)).call();
        return out.toString();
    }

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/clients.md"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/clients.md");
    }
}
