package dev.agenthealth.benchmarks.cost;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table of Markdown with a first column of texts and others of numbers, or of texts alone. */
final class MarkdownTable {

    private final List<String> lines = new ArrayList<>();

    private MarkdownTable(List<String> titles, String others) {
        row(titles);
        List<String> rule = new ArrayList<>(Collections.nCopies(titles.size(), others));
        rule.set(0, "---");
        row(rule);
    }

    static MarkdownTable ofNumbers(List<String> titles) {
        return new MarkdownTable(titles, "---:");
    }

    static MarkdownTable ofTexts(List<String> titles) {
        return new MarkdownTable(titles, "---");
    }

    MarkdownTable row(List<String> cells) {
        lines.add("| " + String.join(" | ", cells) + " |");
        return this;
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }
}
