package dev.agenthealth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code about Spring and health documents in {@code docs/clients.md} is as the modules have it. */
@Tag("slow")
class DocumentedCodeTest {

    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PROPERTY = Pattern.compile("`(?:agent-health)?\\.([a-z-]+)`");

    private static final String FRAME =
            """
            import com.sun.net.httpserver.HttpServer;
            import dev.agenthealth.client.*;
            import dev.agenthealth.client.gate.*;
            import dev.agenthealth.document.*;
            import java.net.InetSocketAddress;
            import java.time.Duration;

            class Fragment {
                void run(AgentHealthClient registry) throws Exception {
            %s
                }
            }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"Spring", "Decide whether to call an agent", "Serve your own health document"})
    void the_code_compiles(String title, @TempDir Path classes) throws IOException {
        Matcher block = BLOCK.matcher(section(title));
        assertThat(block.find()).isTrue();
        String code = block.group(1);
        boolean whole = code.startsWith("import ");
        JavaFileObject source =
                new SimpleJavaFileObject(
                        URI.create("string:///" + (whole ? "BillingAgent" : "Fragment") + ".java"),
                        JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return whole ? code : FRAME.formatted(code);
                    }
                };
        StringWriter errors = new StringWriter();
        List<String> options = List.of(
                "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
        ToolProvider.getSystemJavaCompiler()
                .getTask(errors, null, null, options, null, List.of(source))
                .call();

        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void every_property_is_documented() throws IOException {
        List<String> documented = PROPERTY.matcher(section("Spring"))
                .results()
                .map(match -> "agent-health." + match.group(1))
                .toList();

        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(
                        PropertyMetadataTest.names().toList());
    }

    private static String section(String title) throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/clients.md"))) {
            folder = folder.getParent();
        }
        return Stream.of(Files.readString(folder.resolve("docs/clients.md")).split("\n## "))
                .filter(section -> section.startsWith(title + "\n"))
                .findFirst()
                .orElseThrow();
    }
}
