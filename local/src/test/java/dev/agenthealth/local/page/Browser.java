package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    private final ChromeDriver driver;
    private final String baseUrl;

    Browser(String baseUrl) {
        Optional<Path> chromium = installed("chromium", "chromium-browser", "google-chrome");
        Optional<Path> chromeDriver = installed("chromedriver");
        assumeThat(chromium).as("Chromium is installed").isPresent();
        assumeThat(chromeDriver).as("ChromeDriver is installed").isPresent();
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions()
                .setBinary(chromium.orElseThrow().toString())
                .addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000");
        options.setCapability("goog:loggingPrefs", logging);
        this.baseUrl = baseUrl;
        this.driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(chromeDriver.orElseThrow().toFile())
                        .build(),
                options);
    }

    private static Optional<Path> installed(String... names) {
        String[] folders = System.getenv().getOrDefault("PATH", "").split(":");
        return Stream.of(names)
                .flatMap(name -> Stream.of(folders).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
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

    void resize(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** The first element of this kind, once it is there. */
    WebElement element(String css) {
        return new WebDriverWait(driver, PATIENCE)
                .until(d ->
                        d.findElements(By.cssSelector(css)).stream().findFirst().orElse(null));
    }

    List<WebElement> elements(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Clicks the button with this text, once it is there. */
    void click(String text) {
        new WebDriverWait(driver, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .until(d -> {
                    Optional<WebElement> button = elements("button").stream()
                            .filter(found -> found.getText().equals(text))
                            .reduce((first, last) -> last);
                    button.ifPresent(WebElement::click);
                    return button.isPresent();
                });
    }

    /** Waits until the page shows this text. */
    void shows(String text) {
        new WebDriverWait(driver, PATIENCE)
                .withMessage(() -> "no '" + text + "' in: " + text())
                .until(d -> text().contains(text));
    }

    String text() {
        return String.valueOf(script("return document.body.innerText"));
    }

    Object script(String code, Object... arguments) {
        return driver.executeScript(code, arguments);
    }

    /** Fails where axe finds a violation of the rules of accessibility that have to be met (WCAG 2.1 A and AA). */
    void isAccessible() throws IOException {
        try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            script(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        Object violations = driver.executeAsyncScript(
                "const done = arguments[arguments.length - 1];"
                        + "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then(r =>"
                        + " done(r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | '))), e => done([String(e)]));");
        assertThat((List<?>) violations).isEmpty();
    }

    /** What the browser complained about since the last call: errors of scripts, refused resources, failed requests. */
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
