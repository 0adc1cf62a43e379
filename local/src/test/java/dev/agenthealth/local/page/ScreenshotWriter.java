package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Writes the screenshots of the page to {@code docs/images}. No test by its name, so that it runs only when it is asked for:
 * {@code mvn test -pl local -am -Dtest=ScreenshotWriter -Dsurefire.failIfNoSpecifiedTests=false}. Needs Chromium and ChromeDriver.
 */
class ScreenshotWriter {

    private static final String KEY = "test-administrator-key";
    private static final int MAX_BYTES = 200_000;

    /** The rows in sight whose day is still to be read. Rows below them are read later. */
    private static final String UNREAD = "tr[data-agent]:nth-child(-n+14):not(:has(svg.day))";

    @Test
    void write() throws IOException {
        MutableClock clock = new MutableClock(ScreenshotFleet.start());
        try (LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                        .clock(clock, clock::advance)
                        .byHand()
                        .sweepPeriod(Duration.ofMinutes(1))
                        .out(new PrintStream(OutputStream.nullOutputStream())));
                Browser browser = new Browser(system.baseUrl())) {
            new ScreenshotFleet(system, clock, KEY).run();
            browser.enter(KEY);
            browser.shows("Checked");
            write(browser, "page-overview-light.png", "light", "#/", 1280, 800);
            write(browser, "page-overview-dark.png", "dark", "#/", 1280, 800);
            write(browser, "page-problems.png", "light", "#/problems", 1280, 800);
            write(browser, "page-agents.png", "light", "#/agents", 1280, 800);
            write(browser, "page-agent.png", "light", "#/agents/" + ScreenshotFleet.SHOWN, 1280, 800);
            write(browser, "page-phone.png", "light", "#/", 400, 800);
        }
    }

    private static void write(Browser browser, String name, String theme, String view, int width, int height)
            throws IOException {
        browser.script("localStorage.setItem('theme', arguments[0])", theme);
        browser.open(view);
        browser.script("location.reload()");
        browser.element("main h1");
        browser.tick(0);
        browser.vanishes(UNREAD);
        byte[] png = browser.screenshot(width, height);
        assertThat(png.length).as(name).isLessThan(MAX_BYTES);
        Path folder = Files.createDirectories(ProjectFiles.path("docs").resolve("images"));
        Files.write(folder.resolve(name), png);
    }
}
