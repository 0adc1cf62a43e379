package dev.agenthealth.functions.api.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PageRoutesTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void the_page_needs_no_key_and_loads_from_its_own_origin_only() {
        Response page = system.api().get("/").send();
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(page.header("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                .doesNotContain("unsafe");
        assertThat(page.text())
                .doesNotContain("@version@")
                .doesNotContain("http:")
                .doesNotContain("https:");
    }

    @Test
    void every_file_that_the_page_names_is_cached_for_a_year() {
        List<String> paths = Pattern.compile("(?:href|src)=\"(page/[^\"]+)\"")
                .matcher(system.api().get("/").send().text())
                .results()
                .map(MatchResult::group)
                .map(found -> "/" + found.substring(found.indexOf('"') + 1, found.length() - 1))
                .toList();
        assertThat(paths).hasSizeGreaterThan(3);
        for (String path : paths) {
            Response file = system.api().get(path).send();
            assertThat(file.status()).as(path).isEqualTo(200);
            assertThat(file.header("Cache-Control")).as(path).isEqualTo("public, max-age=31536000, immutable");
        }
    }

    @Test
    void a_file_under_another_version_is_not_cached_under_that_name() {
        Response file = system.api().get("/page/older/app.js").send();
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.header("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(file.header("Cache-Control")).isEqualTo("no-cache");
    }

    @Test
    void the_first_visit_reads_less_than_90_kilobytes() throws IOException {
        // Views of administrators and the library of plots are read when they are needed.
        Path folder = ProjectFiles.path("page/src/main/resources/page");
        Set<String> first = new LinkedHashSet<>(List.of("app.js", "style.css", "uPlot.min.css", "icon.svg"));
        List<String> waiting = new ArrayList<>(List.of("app.js"));
        while (!waiting.isEmpty()) {
            Path script = folder.resolve(waiting.remove(0));
            if (Files.exists(script)) {
                Pattern.compile("(?m)^import .* from '\\./([^']+)'")
                        .matcher(Files.readString(script))
                        .results()
                        .map(found -> found.group(1))
                        .filter(first::add)
                        .forEach(waiting::add);
            }
        }
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        for (String name : first) {
            try (GZIPOutputStream file = new GZIPOutputStream(compressed)) {
                file.write(system.api().get("/page/older/" + name).send().text().getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(first).contains("overview.js", "lit-html.js").doesNotContain("pools.js", "configuration.js");
        assertThat(compressed.size()).isBetween(30_000, 90_000);
    }

    @Test
    void a_caller_that_has_the_file_gets_304() {
        String tag = system.api().get("/page/older/style.css").send().header("ETag");
        Response again = system.api()
                .get("/page/older/style.css")
                .header("if-none-match", tag)
                .send();
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.text()).isEmpty();
    }

    @Test
    void every_module_that_a_script_imports_is_served() throws IOException {
        Path folder = ProjectFiles.path("page/src/main/resources/page");
        try (Stream<Path> scripts = Files.list(folder)) {
            List<String> imported = scripts.filter(path -> path.toString().endsWith(".js"))
                    .flatMap(PageRoutesTest::imports)
                    .distinct()
                    .toList();
            assertThat(imported).contains("lit-html.js", "api.js").allSatisfy(name -> assertThat(
                            system.api().get("/page/older/" + name).send().status())
                    .as(name)
                    .isEqualTo(200));
        }
    }

    @Test
    void a_file_that_the_page_does_not_have_is_404() {
        for (String name : List.of("index.html", "nothing.js", "..%2Fapp.js")) {
            Response file = system.api().get("/page/older/" + name).send();
            assertThat(file.status()).as(name).isEqualTo(404);
        }
    }

    private static Stream<String> imports(Path script) {
        try {
            return Pattern.compile("(?:from |import\\()'\\./([^']+)'")
                    .matcher(Files.readString(script))
                    .results()
                    .map(found -> found.group(1));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
