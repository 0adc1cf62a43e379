package dev.agenthealth.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Keeps {@code docs/cost.md} and the budgets on which it rests true; with {@code -Dcost.write=true} both are written instead of
 * checked.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-01")
@Tag("SYS-02")
class CostDocumentTest {

    private static final Path DOCUMENT = Samples.root().resolve("docs/cost.md");
    private static final String TO_RENEW = "%s is out of date: run mvn verify -Dcost.write=true";

    /** Texts with times and ids in them are not always equally long. */
    private static final double BYTES = 0.05;

    private static final double FEW_BYTES = 10;

    /** Figures are spread over items at random, so that sometimes a deed makes one and sometimes it finds one. */
    private static final double STORED = 0.25;

    private static final double STORED_BYTES = 150;

    private final CostFiles files = Samples.files();
    private Budgets measured;

    @BeforeAll
    void measure() throws IOException {
        measured = BudgetMeasurement.now();
        if (Boolean.getBoolean("cost.write")) {
            files.write(measured);
            Files.writeString(DOCUMENT, text());
        }
    }

    @Test
    void the_budgets_are_what_the_functions_take() {
        Budgets written = files.budgets();
        assertBytes(written.requestLineBytes(), measured.requestLineBytes(), "a line of the log");
        for (Deed deed : Deed.values()) {
            Budget then = written.of(deed);
            Budget now = measured.of(deed);
            assertUnits(then.pulsesReadUnits(), now.pulsesReadUnits(), deed);
            assertUnits(then.pulsesWriteUnits(), now.pulsesWriteUnits(), deed);
            assertUnits(then.registryReadUnits(), now.registryReadUnits(), deed);
            assertUnits(then.registryWriteUnits(), now.registryWriteUnits(), deed);
            assertUnits(then.events(), now.events(), deed);
            assertBytes(then.requestBytes(), now.requestBytes(), deed.word());
            assertBytes(then.responseBytes(), now.responseBytes(), deed.word());
            assertBytes(then.logBytes(), now.logBytes(), deed.word());
            assertBytes(then.eventBytes(), now.eventBytes(), deed.word());
            assertThat(now.storedBytes())
                    .as(TO_RENEW, "benchmarks/budgets.json, " + deed.word())
                    .isEqualTo(then.storedBytes(), within(STORED_BYTES + STORED * then.storedBytes()));
        }
    }

    @Test
    void a_heartbeat_is_one_write_unit_and_nothing_else_of_the_storage() {
        for (Deed deed : new Deed[] {Deed.HEARTBEAT, Deed.HEARTBEATS_OF_100}) {
            Budget budget = measured.of(deed);
            assertThat(budget.pulsesWriteUnits()).isEqualTo(deed == Deed.HEARTBEAT ? 1 : 100);
            assertThat(budget.pulsesReadUnits() + budget.registryReadUnits() + budget.registryWriteUnits())
                    .as(deed.description())
                    .isZero();
        }
    }

    @Test
    void the_document_is_up_to_date() throws IOException {
        assertThat(Files.readString(DOCUMENT)).as(TO_RENEW, "docs/cost.md").isEqualTo(text());
    }

    private String text() {
        return new CostDocument(files.prices(), files.assumptions(), files.budgets(), TemplateDeployment.read()).text();
    }

    private static void assertUnits(double then, double now, Deed deed) {
        assertThat(now).as(TO_RENEW, "benchmarks/budgets.json, " + deed.word()).isEqualTo(then, within(0.01));
    }

    private static void assertBytes(double then, double now, String what) {
        assertThat(now)
                .as(TO_RENEW, "benchmarks/budgets.json, " + what)
                .isEqualTo(then, within(FEW_BYTES + BYTES * then));
    }
}
