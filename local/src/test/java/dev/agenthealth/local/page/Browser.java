package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Chromium without a window, with the page of one system. Skips the test where Chromium or its driver is not installed. */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Lets a test count and answer requests of the page, and move its time: timers run by {@code tick} only, which moves the clock and waits
     * for the requests that follow.
     */
    private static final String PROBE =
            """
            window.sent = []; window.pending = 0;
            window.answers = sessionStorage.getItem('answer-with') ? { '*': sessionStorage.getItem('answer-with') } : {};
            const send = window.fetch;
            window.fetch = async (path, options) => {
              const route = path.split('?')[0];
              const record = { request: `${options.method} ${route}`, status: 0, bytes: 0 };
              window.sent.push(record);
              window.pending++;
              try {
                const answer = window.answers[route] || window.answers['*'];
                if (answer?.merge) delete options.headers['If-None-Match'];
                if (answer === 'none') throw new TypeError('no connection');
                const response = answer?.status ? new Response(JSON.stringify(answer.body || {}), { status: answer.status }) : await send(path, options);
                record.status = response.status;
                const text = await response.clone().text();
                record.bytes = text.length;
                if (window.poison && text.startsWith('{')) return new Response(window.poison(text), { status: response.status });
                return answer?.merge ? new Response(JSON.stringify({ ...JSON.parse(text), ...answer.merge }), { status: 200 }) : response;
              } finally {
                setTimeout(() => window.pending--, 0);
              }
            };
            const timers = [];
            window.setInterval = timer => timers.push(timer);
            const now = Date.now;
            let ahead = 0;
            Date.now = () => now() + ahead;
            const settled = async () => {
              for (let quiet = 0; quiet < 4; quiet = window.pending ? 0 : quiet + 1) await new Promise(done => setTimeout(done, 5));
            };
            window.tick = async seconds => {
              await settled();
              ahead += seconds * 1000;
              await Promise.all(timers.map(timer => timer()));
              await settled();
            };
            """;

    /** The last button with this text. One request finds it, as a test asks until the button is there. */
    private static final String BUTTON =
            "return [...document.querySelectorAll('button')].filter(b => b.checkVisibility() && b.innerText.trim() === arguments[0]).pop();";

    private final ChromeDriver driver;
    private String baseUrl;

    Browser(String baseUrl) {
        Optional<Path> chromium = installed("chromium", "chromium-browser", "google-chrome");
        Optional<Path> chromeDriver = installed("chromedriver");
        assumeThat(chromium).as("Chromium is installed").isPresent();
        assumeThat(chromeDriver).as("ChromeDriver is installed").isPresent();
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions()
                .setBinary(chromium.orElseThrow().toString())
                .addArguments(
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-extensions",
                        "--disable-component-update",
                        "--disable-background-networking",
                        "--disable-sync",
                        "--no-first-run",
                        "--window-size=1400,1000",
                        "--hide-scrollbars");
        options.setCapability("goog:loggingPrefs", logging);
        this.baseUrl = baseUrl;
        this.driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(chromeDriver.orElseThrow().toFile())
                        .build(),
                options);
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", PROBE));
    }

    /** Waits with short pauses: the usual half second is longer than most views take. */
    private WebDriverWait waiting() {
        WebDriverWait wait = new WebDriverWait(driver, PATIENCE);
        wait.pollingEvery(Duration.ofMillis(20));
        return wait;
    }

    private static Optional<Path> installed(String... names) {
        String[] folders = System.getenv().getOrDefault("PATH", "").split(":");
        return Stream.of(names)
                .flatMap(name -> Stream.of(folders).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Shows the page of another system from now on; returns the address of the one before. */
    String switchTo(String otherBaseUrl) {
        String before = baseUrl;
        baseUrl = otherBaseUrl;
        return before;
    }

    String baseUrl() {
        return baseUrl;
    }

    /** Writes into the field of this name, in the dialog where one is open. */
    void fill(String name, String value) {
        String in = elements("dialog[open]").isEmpty() ? "main" : "dialog[open]";
        WebElement field = element(in + " [name='" + name + "']");
        field.clear();
        field.sendKeys(value);
    }

    /** Opens the page and enters a key. */
    void enter(String key) {
        driver.get(baseUrl + "/");
        element("input[name=key]").sendKeys(key);
        element("button[type=submit]").click();
    }

    /** Goes to a view of the page, such as {@code #/agents}. */
    void open(String view) {
        driver.get(baseUrl + "/" + view);
    }

    /** Lets the page's clock move on and its timers run once, and waits for what they request. */
    void tick(int seconds) {
        Object failure = driver.executeAsyncScript(
                "const done = arguments[1]; window.tick(arguments[0]).then(() => done(null), e => done(String(e)));",
                seconds);
        assertThat(failure).isNull();
    }

    /** Sets the answer to a request of the page from now on: {@code {status, body}}, {@code {merge}} or {@code 'none'}, by its path; '*' for all. */
    void answer(String path, String answer) {
        script("window.answers[arguments[0]] = " + answer, path);
    }

    /** A picture of a window of this size, as PNG. */
    byte[] screenshot(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < height));
        tick(0);
        byte[] png = Base64.getDecoder()
                .decode((String) driver.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png"))
                        .get("data"));
        driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        return png;
    }

    /** Reads the page anew, files included. Returns the milliseconds until its first contentful paint. */
    double firstPaint() {
        driver.executeCdpCommand("Network.clearBrowserCache", Map.of());
        driver.navigate().refresh();
        element("main h1");
        return ((Number) script("return performance.getEntriesByName('first-contentful-paint')[0].startTime"))
                .doubleValue();
    }

    /** Presses keys wherever the keyboard is. */
    void press(CharSequence... keys) {
        driver.switchTo().activeElement().sendKeys(keys);
    }

    String focused() {
        return driver.switchTo().activeElement().getText();
    }

    void resize(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** The first element of this kind, once it is there. */
    WebElement element(String css) {
        return waiting()
                .until(d ->
                        d.findElements(By.cssSelector(css)).stream().findFirst().orElse(null));
    }

    /** Waits until no element of this kind is left. */
    void vanishes(String css) {
        waiting().until(d -> d.findElements(By.cssSelector(css)).isEmpty());
    }

    List<WebElement> elements(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Clicks the button with this text, once it is there. */
    void click(String text) {
        WebDriverWait wait = waiting();
        wait.withMessage(() -> "no button '" + text + "' in: " + text());
        wait.ignoring(StaleElementReferenceException.class).until(d -> {
            Optional<WebElement> button = Optional.ofNullable((WebElement) script(BUTTON, text));
            button.ifPresent(WebElement::click);
            return button.isPresent();
        });
    }

    /** Opens the menu of further actions, and clicks the button with this text. */
    void clickMore(String text) {
        element("main summary[aria-label='More actions']").click();
        click(text);
    }

    /** Waits until the page shows this text. */
    void shows(String text) {
        waiting().withMessage(() -> "no '" + text + "' in: " + text()).until(d -> text().contains(text));
    }

    /** Lets the page refresh itself, ten seconds after ten seconds, until it shows this text: an event is in the feed a moment after its cause. */
    void refreshesUntilItShows(String text) {
        new WebDriverWait(driver, PATIENCE)
                .withMessage(() -> "no '" + text + "' in: " + text())
                .until(d -> {
                    tick(10);
                    return text().contains(text);
                });
    }

    String text() {
        return String.valueOf(script("return document.body.innerText"));
    }

    Object script(String code, Object... arguments) {
        return driver.executeScript(code, arguments);
    }

    /** Fails where axe finds a violation of the rules of accessibility that have to be met (WCAG 2.1 A and AA). */
    void isAccessible() throws IOException {
        if (script("return window.axe?.version") == null) {
            try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
                script(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        Object violations = driver.executeAsyncScript(
                "const done = arguments[arguments.length - 1];"
                        + "axe.run({resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then(r =>"
                        + " done(r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | '))), e => done([String(e)]));");
        assertThat((List<?>) violations).isEmpty();
    }

    /** The complaints of the browser since the last call: errors of scripts, refused resources, failed requests. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
